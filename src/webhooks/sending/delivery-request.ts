import type { WebhookMethod } from '../definition/webhook.ts'
import type { PreparedDelivery } from './prepare-delivery.ts'
import type { AttemptRequest } from './send-attempt.ts'
import { signatureHeaders } from './signatures.ts'

/** A request as the log shows it: no secrets, `${NAME}` for values of the environment. */
export interface ShownRequest {
  method: WebhookMethod
  url: string
  headers: Record<string, string>
}

/** The request of one attempt at `now`: the webhook's headers, ours over them, signed (contract §6). */
export function deliveryRequest(
  { job, sendable, body }: PreparedDelivery,
  { now }: { now: Date },
): { sent: AttemptRequest; shown: ShownRequest } {
  const { webhook, url, headers, keys, shown } = sendable
  const { method } = webhook
  const timestamp = Math.floor(now.getTime() / 1_000)
  const bytes = body === null ? null : Buffer.from(body)
  const ours = {
    'webhook-id': job.messageId,
    'webhook-timestamp': String(timestamp),
    ...signatureHeaders(keys, { id: job.messageId, timestamp, body: bytes ?? '' }),
  }
  return {
    sent: {
      url,
      method,
      headers: { ...headers, ...ours },
      body: bytes,
      acceptsRedirect: webhook.acceptRedirect,
    },
    shown: { url: shown.url, method, headers: { ...shown.headers, ...ours } },
  }
}
