import type { APIContext } from 'astro'

const COOKIE = 'signpost_theme'
const YEAR_SECONDS = 365 * 24 * 60 * 60

export const THEMES = [
  { value: 'auto', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export type Theme = (typeof THEMES)[number]['value']

/** The look this browser chose; `auto` follows its system. */
export function readTheme({ cookies }: Pick<APIContext, 'cookies'>): Theme {
  const value = cookies.get(COOKIE)?.value
  return THEMES.find((theme) => theme.value === value)?.value ?? 'auto'
}

export function setTheme({ cookies }: Pick<APIContext, 'cookies'>, theme: Theme): void {
  cookies.set(COOKIE, theme, { path: '/admin', httpOnly: true, sameSite: 'lax', maxAge: YEAR_SECONDS })
}
