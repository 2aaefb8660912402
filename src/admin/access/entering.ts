import type { AstroGlobal } from 'astro'
import { checkPasswordAgain } from '../../auth/check-password.ts'
import type { SignedIn } from '../../auth/finish-sign-in.ts'
import { confirmWithPasskey } from '../../auth/passkeys/confirm-passkey.ts'
import { deleteSession } from '../../auth/session-store.ts'
import { renewToken } from '../../auth/sessions.ts'
import type { TooManyFailures } from '../../auth/sign-in-limits.ts'
import { passwordCheck, signInTexts } from '../../messages/admin/accounts.ts'
import { passkeySignIn } from '../../messages/admin/passkeys/passkeys.ts'
import { seeOther } from '../kit/flash.ts'
import type { CookieContext } from './admin-cookie.ts'
import { findPasskeySite } from './passkeys/passkey-site.ts'
import { deviceCookie, sessionCookie } from './session-cookie.ts'

/** Sets the cookies of a new session and redirects. */
export function enter(context: CookieContext, { token, device }: SignedIn, next: string): Response {
  sessionCookie.set(context, token)
  deviceCookie.set(context, device)
  return seeOther(next)
}

/** Sends a browser whose session has ended to the sign-in page and clears what the site stored in it. */
export function leave(context: CookieContext): Response {
  sessionCookie.clear(context)
  const response = seeOther('/admin/login')
  response.headers.set('clear-site-data', '"cache", "cookies", "storage"')
  return response
}

/** Ends this browser's session, if it has one, because another replaces it. */
export async function endSession({ locals }: CookieContext): Promise<void> {
  const { app, administrator, session } = locals
  if (session) await deleteSession(app.db, session.id, { userId: administrator.id })
}

/**
 * Keeps this page's URL, which grants access, out of the referrer: assets and the next page get only the origin.
 * With `no-referrer`, browsers would also hide the origin of posts.
 */
export function hideOwnAddress({ response }: Pick<AstroGlobal, 'response'>): void {
  response.headers.set('referrer-policy', 'strict-origin')
}

/** A problem with a password entered to confirm something. */
export interface PasswordProblem {
  kind: 'wrong' | 'too_many'
  message: string
}

/**
 * Checks the signed-in user's password; undefined if it is right. The browser then gets a new session token, and the
 * old one stops working.
 */
export async function confirmPassword(
  context: CookieContext,
  password: string,
): Promise<PasswordProblem | undefined> {
  const { app, administrator, session, clientAddress: address } = context.locals
  const asked = { administrator, session, address, password }
  const checked = await checkPasswordAgain(app.db, asked, { now: new Date() })
  return goOnConfirmed(context, checked, passwordCheck.wrong)
}

/** Confirms with a passkey in place of the password; otherwise the same as `confirmPassword`. */
export async function confirmByPasskey(
  context: CookieContext,
  response: string,
): Promise<PasswordProblem | undefined> {
  const { app, administrator, session, clientAddress: address } = context.locals
  const party = findPasskeySite(context)
  const asked = { administrator, session, address, response }
  const checked = party
    ? await confirmWithPasskey(app.db, party, asked, { now: new Date() })
    : { kind: 'wrong' as const }
  return goOnConfirmed(context, checked, passkeySignIn.confirmWrong)
}

async function goOnConfirmed(
  context: CookieContext,
  checked: { kind: 'right' | 'wrong' } | TooManyFailures,
  wrong: string,
): Promise<PasswordProblem | undefined> {
  const { app, session } = context.locals
  if (checked.kind === 'too_many') {
    context.locals.refused = 'sign_in_limited'
    return { kind: 'too_many', message: describeTooMany(checked) }
  }
  if (checked.kind === 'wrong') {
    context.locals.refused = 'password_check_failed'
    return { kind: 'wrong', message: wrong }
  }
  sessionCookie.set(context, await renewToken(app.db, session.id))
  return undefined
}

/** `Too many failed attempts. Try again in 12 minutes.` */
export function describeTooMany({ retryAfterSeconds }: { retryAfterSeconds: number }): string {
  return signInTexts.tooMany(Math.ceil(retryAfterSeconds / 60))
}
