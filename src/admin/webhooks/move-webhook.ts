import { hasFreshPassword } from '../../auth/session.ts'
import { webhookEditor } from '../../messages/admin/webhooks/webhook-editor.ts'
import type { Webhook } from '../../webhooks/definition/webhook.ts'
import { isSameOrigin, originOf } from '../../webhooks/secrets/webhook-origin.ts'
import type { CookieContext } from '../access/admin-cookie.ts'
import { confirmPassword } from '../access/entering.ts'
import type { FormValue } from '../kit/admin-form.ts'

/** Checks the password, unless it was confirmed within 15 minutes; returns the problem. */
export async function confirmMove(
  context: CookieContext,
  password: FormValue | undefined,
): Promise<string | undefined> {
  if (hasFreshPassword(context.locals.session, { now: new Date() })) return undefined
  if (typeof password !== 'string' || password === '') return webhookEditor.passwordMissing
  return (await confirmPassword(context, password))?.message
}

/** Describes a webhook's new origin and the secrets it lost; undefined if its origin stays. */
export function describeMove(
  { url: former, signingSecret }: Webhook,
  { url, dropped }: { url: string; dropped: readonly string[] },
): { from: string; to: string; lost: string[] } | undefined {
  if (isSameOrigin(former, url)) return undefined
  const lost = [
    ...dropped.map(webhookEditor.droppedHeader),
    ...(signingSecret ? [webhookEditor.droppedSecret] : []),
  ]
  return { from: originOf(former), to: originOf(url), lost }
}
