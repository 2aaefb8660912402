import type { APIContext } from 'astro'
import type { SignInOutcome } from '../../auth/sign-in.ts'
import { seeOther } from './flash.ts'
import { deviceCookie, sessionCookie } from './session-cookie.ts'

/** Lets who signed in enter: sets the cookies of the browser and leads on. */
export function enter(
  context: Pick<APIContext, 'cookies' | 'locals' | 'url'>,
  { token, device }: Extract<SignInOutcome, { kind: 'signed_in' }>,
  next: string,
): Response {
  sessionCookie.set(context, token)
  deviceCookie.set(context, device)
  return seeOther(next)
}

/** `Too many wrong tries. Wait 12 minutes, then try again.` */
export function describeTooMany({ retryAfterSeconds }: { retryAfterSeconds: number }): string {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return `Too many wrong tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
}
