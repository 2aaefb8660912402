import type { APIContext } from 'astro'
import { LIFETIME_MS } from '../../auth/session.ts'
import type { SignInVisitor } from '../../auth/sign-in.ts'

type Context = Pick<APIContext, 'cookies' | 'locals' | 'url'>

const DEVICE_NAME = 'signpost_browser'
const DEVICE_SECONDS = 365 * 24 * 60 * 60
const TICKET_NAME = 'signpost_ticket'
const TICKET_SECONDS = 5 * 60
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

/** Who asks to sign in. */
export function readVisitor({
  cookies,
  locals,
  request,
}: Context & Pick<APIContext, 'request'>): SignInVisitor {
  return {
    address: locals.clientAddress,
    userAgent: request.headers.get('user-agent') ?? '',
    device: cookies.get(DEVICE_NAME)?.value,
  }
}

/** Remembers that somebody signed in in this browser; it gives no rights. */
export function setDevice(context: Context, device: string): void {
  const options = { httpOnly: true, sameSite: 'lax', path: '/admin', maxAge: DEVICE_SECONDS } as const
  context.cookies.set(DEVICE_NAME, device, { ...options, secure: isSecure(context) })
}

/** Keeps the ticket between the two steps of signing in. */
export function setTicket(context: Context, ticket: string): void {
  const options = { httpOnly: true, sameSite: 'lax', path: '/admin/login', maxAge: TICKET_SECONDS } as const
  context.cookies.set(TICKET_NAME, ticket, { ...options, secure: isSecure(context) })
}

export function readTicket({ cookies }: Context): string | undefined {
  return cookies.get(TICKET_NAME)?.value
}

// Behind a proxy that speaks https; asked for as 127.0.0.1 on the machine itself it is plain http.
function isSecure({ locals, url }: Context): boolean {
  const site = new URL(locals.app.config.siteUrl)
  return site.protocol === 'https:' && url.host === site.host
}
