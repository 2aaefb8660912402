import { hasFreshPassword } from '../../auth/session.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import { isSameOrigin, originOf } from '../../webhooks/secrets/webhook-origin.ts'
import type { CookieContext } from '../access/admin-cookie.ts'
import { confirmPassword } from '../access/entering.ts'
import type { FormValue } from '../kit/admin-form.ts'

/** Checks the password, unless it was confirmed within 15 minutes; returns what is wrong. */
export async function confirmMove(
  context: CookieContext,
  password: FormValue | undefined,
): Promise<string | undefined> {
  if (hasFreshPassword(context.locals.session, { now: new Date() })) return undefined
  if (typeof password !== 'string' || password === '')
    return 'Enter your password to send this webhook to another origin.'
  return (await confirmPassword(context, password))?.message
}

/** Describes a new origin of a webhook and the secrets it lost; undefined when its origin stays. */
export function describeMove(
  { url: former, signingSecret }: Webhook,
  { url, dropped }: { url: string; dropped: readonly string[] },
): { summary: string; message: string | undefined } | undefined {
  if (isSameOrigin(former, url)) return undefined
  const lost = [
    ...dropped.map((name) => `the header ${name}`),
    ...(signingSecret ? ['the signing secret'] : []),
  ]
  const list = new Intl.ListFormat('en-US').format(lost)
  return {
    summary: `it goes to ${originOf(url)} instead of ${originOf(former)}`,
    message: lost.length === 0 ? undefined : `Add ${list} again: stored secrets don’t go to another origin.`,
  }
}
