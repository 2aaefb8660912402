import type { APIRoute } from 'astro'
import { recordChange } from '#src/admin/audit/record-change.ts'
import { redirectWithMessage } from '#src/admin/kit/flash.ts'
import { getAdministrator } from '#src/admin/kit/page-context.ts'
import { pathOfWebhook } from '#src/admin/webhooks/paths.ts'
import { findAddressed } from '#src/admin/webhooks/webhook-form.ts'
import { sendTestDelivery } from '#src/webhooks/trials/send-test-delivery.ts'

/** Sends a test with made-up answers, and leads to its delivery. */
export const POST: APIRoute = async (context) => {
  getAdministrator(context)
  const addressed = await findAddressed(context)
  if (!addressed) return context.rewrite('/admin/not-found')
  const { form, webhook } = addressed
  const { db, config } = context.locals.app
  const outcome = await sendTestDelivery(db, webhook.id, { siteUrl: config.siteUrl, now: new Date() })
  if (outcome.kind !== 'queued') {
    const message = 'A paused webhook sends no tests: resume it first.'
    return redirectWithMessage(context, pathOfWebhook(form.slug, webhook.id), message, 'error')
  }
  const summary = `Sent a test to the webhook "${webhook.name}"`
  const change = { action: 'webhook.tested', subjectType: 'webhook', subjectId: webhook.id } as const
  await recordChange(context, { ...change, summary })
  const message = 'The test is on its way. Load this page again to see the answer.'
  return redirectWithMessage(context, `/admin/deliveries/${outcome.deliveryId}`, message)
}
