import type { APIRoute } from 'astro'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound } from '#src/admin/kit/page-context.ts'
import { pathOfWebhook } from '#src/admin/webhooks/paths.ts'
import { findAddressed } from '#src/admin/webhooks/webhook-form.ts'
import { webhookActivity, webhookState } from '#src/messages/admin/webhooks/webhooks.ts'
import { pauseWebhook, resumeWebhook } from '#src/webhooks/definition/pause-webhook.ts'

/** Pauses or resumes a webhook. */
export const POST: APIRoute = async (context) => {
  const addressed = await findAddressed(context)
  if (!addressed) return notFound(context)
  const { form, webhook } = addressed
  const { db } = appOf(context)
  const pauses = (await readForm(context.request)).paused === 'yes'
  if (pauses) await pauseWebhook(db, webhook.id, { now: new Date() })
  else await resumeWebhook(db, webhook.id)
  const summary = (pauses ? webhookActivity.paused : webhookActivity.resumed)(webhook.name)
  const action = pauses ? 'webhook.paused' : 'webhook.resumed'
  const text = pauses ? webhookState.wasPaused : webhookState.wasResumed
  const { id } = webhook
  return finish(context, { action, id, summary }, { to: pathOfWebhook(form.slug, id), text })
}
