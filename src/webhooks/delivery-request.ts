import packageFile from '../../package.json' with { type: 'json' }
import type { PreparedDelivery } from './prepare-delivery.ts'
import type { AttemptRequest } from './send-attempt.ts'
import { signatureHeaders } from './signatures.ts'

const USER_AGENT = `Signpost/${packageFile.version}`

/** The request of one attempt at `now`: the webhook's headers, ours over them, signed (contract §6). */
export function deliveryRequest(
  { job, webhook, body, secrets }: PreparedDelivery,
  { now }: { now: Date },
): AttemptRequest {
  const timestamp = Math.floor(now.getTime() / 1_000)
  const headers = {
    ...webhook.headers,
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': job.messageId,
    'webhook-timestamp': String(timestamp),
    ...signatureHeaders(secrets, { id: job.messageId, timestamp, body: body ?? '' }),
  }
  return { url: webhook.url, method: webhook.method, headers, body }
}
