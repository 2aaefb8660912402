import type { APIRoute } from 'astro'
import { appOf, finish, notFound, refuse } from '#src/admin/kit/page-context.ts'
import { pathOfWebhook } from '#src/admin/webhooks/paths.ts'
import { findAddressed } from '#src/admin/webhooks/webhook-form.ts'
import { sendTestDelivery } from '#src/webhooks/trials/send-test-delivery.ts'

/** Sends a test with made-up answers, and leads to its delivery. */
export const POST: APIRoute = async (context) => {
  const addressed = await findAddressed(context)
  if (!addressed) return notFound(context)
  const { form, webhook } = addressed
  const { db, config } = appOf(context)
  const outcome = await sendTestDelivery(db, webhook.id, { siteUrl: config.siteUrl, now: new Date() })
  if (outcome.kind !== 'queued') {
    const text = 'A paused webhook sends no tests: resume it first.'
    return refuse(context, { to: pathOfWebhook(form.slug, webhook.id), text })
  }
  const summary = `Sent a test to the webhook "${webhook.name}"`
  const change = { action: 'webhook.tested', id: webhook.id, summary } as const
  const text = 'The test is on its way. Load this page again to see the answer.'
  return finish(context, change, { to: `/admin/deliveries/${outcome.deliveryId}`, text })
}
