import type { APIContext } from 'astro'
import { LIFETIME_MS } from '../../auth/session.ts'

type Context = Pick<APIContext, 'cookies' | 'locals' | 'url'>

const NAME = 'signpost_session'
// Browsers take this name only over https, for this host alone and for all of it.
const SECURE_NAME = `__Host-${NAME}`

export function readSessionToken(context: Context): string | undefined {
  return context.cookies.get(isSecure(context) ? SECURE_NAME : NAME)?.value
}

export function setSessionToken(context: Context, token: string): void {
  const secure = isSecure(context)
  const options = { httpOnly: true, sameSite: 'lax', path: '/', maxAge: LIFETIME_MS / 1_000, secure } as const
  context.cookies.set(secure ? SECURE_NAME : NAME, token, options)
}

export function clearSessionToken(context: Context): void {
  const secure = isSecure(context)
  context.cookies.delete(secure ? SECURE_NAME : NAME, { path: '/', secure })
}

// Behind a proxy that speaks https; asked for as 127.0.0.1 on the machine itself it is plain http.
function isSecure({ locals, url }: Context): boolean {
  const site = new URL(locals.app.config.siteUrl)
  return site.protocol === 'https:' && url.host === site.host
}
