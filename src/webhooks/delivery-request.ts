import packageFile from '../../package.json' with { type: 'json' }
import type { PreparedDelivery } from './prepare-delivery.ts'
import type { AttemptRequest } from './send-attempt.ts'
import { signatureHeaders } from './signatures.ts'
import type { Webhook } from './webhook.ts'

const USER_AGENT = `Signpost/${packageFile.version}`

/** The request of one attempt at `now`: the webhook's headers, ours over them, signed (contract §6). */
export function deliveryRequest(
  { job, webhook, body, secrets }: PreparedDelivery,
  { now }: { now: Date },
): AttemptRequest {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const headers = {
    ...deliveryHeaders(webhook),
    'webhook-id': job.messageId,
    'webhook-timestamp': String(timestamp),
    ...signatureHeaders(secrets, { id: job.messageId, timestamp, body: body ?? '' }),
  }
  return { url: webhook.url, method: webhook.method, headers, body }
}

/** The headers that are the same in every delivery of a webhook. */
export function deliveryHeaders({ headers }: Webhook): Record<string, string> {
  return { ...headers, 'content-type': 'application/json', 'user-agent': USER_AGENT }
}
