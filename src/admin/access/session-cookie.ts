import type { APIContext } from 'astro'
import type { SignInVisitor } from '../../auth/finish-sign-in.ts'
import { LIFETIME_MS } from '../../auth/session.ts'
import { adminCookie, type CookieContext } from './admin-cookie.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** The session's token. */
export const sessionCookie = adminCookie('session', { maxAgeSeconds: LIFETIME_MS / 1_000 })

/** The ticket between the two steps of sign-in. */
export const ticketCookie = adminCookie('ticket', { maxAgeSeconds: 5 * 60 })

/** Marks a browser in which a user has signed in before; it grants nothing. */
export const deviceCookie = adminCookie('browser', { maxAgeSeconds: YEAR_SECONDS })

/** The visitor who is signing in. */
export function readVisitor(context: CookieContext & Pick<APIContext, 'request'>): SignInVisitor {
  return {
    address: context.locals.clientAddress,
    userAgent: context.request.headers.get('user-agent') ?? '',
    device: deviceCookie.read(context),
  }
}
