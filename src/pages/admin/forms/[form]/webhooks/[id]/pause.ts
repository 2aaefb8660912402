import type { APIRoute } from 'astro'
import { recordChange } from '#src/admin/audit/record-change.ts'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { redirectWithMessage } from '#src/admin/kit/flash.ts'
import { getAdministrator } from '#src/admin/kit/page-context.ts'
import { pathOfWebhook } from '#src/admin/webhooks/paths.ts'
import { findAddressed } from '#src/admin/webhooks/webhook-form.ts'
import { pauseWebhook, resumeWebhook } from '#src/webhooks/definition/pause-webhook.ts'

/** Pauses a webhook, or resumes it. */
export const POST: APIRoute = async (context) => {
  getAdministrator(context)
  const addressed = await findAddressed(context)
  if (!addressed) return context.rewrite('/admin/not-found')
  const { form, webhook } = addressed
  const { db } = context.locals.app
  const pauses = (await readForm(context.request)).paused === 'yes'
  if (pauses) await pauseWebhook(db, webhook.id, { now: new Date() })
  else await resumeWebhook(db, webhook.id)
  const summary = `${pauses ? 'Paused' : 'Resumed'} the webhook "${webhook.name}"`
  const action = pauses ? 'webhook.paused' : 'webhook.resumed'
  await recordChange(context, { action, subjectType: 'webhook', subjectId: webhook.id, summary })
  const message = pauses
    ? 'Paused. What is accepted waits until you resume it.'
    : 'It sends again, the oldest first.'
  return redirectWithMessage(context, pathOfWebhook(form.slug, webhook.id), message)
}
