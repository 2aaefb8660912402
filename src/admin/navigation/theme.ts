import { themeLabels } from '../../messages/admin/navigation.ts'
import { adminCookie, type CookieContext } from '../access/admin-cookie.ts'

const cookie = adminCookie('theme', { maxAgeSeconds: 365 * 24 * 60 * 60 })

export const THEMES = [
  { value: 'auto', label: themeLabels.auto },
  { value: 'light', label: themeLabels.light },
  { value: 'dark', label: themeLabels.dark },
] as const

export type Theme = (typeof THEMES)[number]['value']

/** Returns this browser's theme; `auto` follows the system. */
export function readTheme(context: CookieContext): Theme {
  const value = cookie.read(context)
  return THEMES.find((theme) => theme.value === value)?.value ?? 'auto'
}

/** Stores the theme in this browser for a year. */
export function setTheme(context: CookieContext, theme: Theme): void {
  cookie.set(context, theme)
}
