import type { APIRoute } from 'astro'
import { appOf, finish, notFound, refuse } from '#src/admin/kit/page-context.ts'
import { pathOfWebhook } from '#src/admin/webhooks/paths.ts'
import { findAddressed } from '#src/admin/webhooks/webhook-form.ts'
import { webhookActivity, webhookState } from '#src/messages/admin/webhooks/webhooks.ts'
import { sendTestDelivery } from '#src/webhooks/trials/send-test-delivery.ts'

/** Sends a test with sample answers and redirects to its delivery. */
export const POST: APIRoute = async (context) => {
  const addressed = await findAddressed(context)
  if (!addressed) return notFound(context)
  const { form, webhook } = addressed
  const { db, config } = appOf(context)
  const outcome = await sendTestDelivery(db, webhook.id, {
    siteUrl: config.siteUrl,
    adminUrl: config.adminUrl,
    now: new Date(),
  })
  if (outcome.kind !== 'queued') {
    return refuse(context, { to: pathOfWebhook(form.slug, webhook.id), text: webhookState.testOfPaused })
  }
  const summary = webhookActivity.tested(webhook.name)
  const change = { action: 'webhook.tested', id: webhook.id, summary } as const
  const to = `/admin/deliveries/${outcome.deliveryId}`
  return finish(context, change, { to, text: webhookState.testSent })
}
