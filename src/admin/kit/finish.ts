import type { CookieContext } from '../access/admin-cookie.ts'
import { type Change, recordChange } from '../audit/record-change.ts'
import { type Flash, redirectWithMessage } from './flash.ts'

/** The page that is shown next, and what it says once. */
export interface Next {
  to: string
  text: string
  kind?: Flash['kind']
}

/** Ends a change that was made: records it, unless it is false, wakes what it concerns, and leads on (303). */
export async function finish(
  context: CookieContext,
  change: Change | false,
  { to, text, kind }: Next,
): Promise<Response> {
  if (change) await recordChange(context, change)
  return redirectWithMessage(context, to, text, kind)
}

/** Ends a change that was not made: leads on (303) and says why. */
export function refuse(context: CookieContext, { to, text }: Next): Response {
  return redirectWithMessage(context, to, text, 'error')
}
