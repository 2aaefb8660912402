import { AwsClient } from 'aws4fetch'
import { type Agent, request } from 'undici'
import type { Bucket } from '../../files/file-store.ts'
import { Failure } from '../../lib/messages.ts'
import { outletFailures } from '../../messages/server/outlets.ts'
import type { NoticeRequest } from './purge-requests.ts'

const WITHIN_MS = 15_000
const KEPT_ANSWER = 200

interface Sending {
  agent: Agent
  keys: Pick<Bucket, 'accessKeyId' | 'secretAccessKey'>
  /** The error for any status other than 2xx. */
  refusal: 'refused' | 'indexNowRefused'
}

/**
 * Sends one request through the webhook agent, which reaches only public addresses and `WEBHOOK_ALLOW`. Throws
 * unless the status is 2xx.
 */
export async function sendNotice(notice: NoticeRequest, { agent, keys, refusal }: Sending): Promise<void> {
  const { host } = new URL(notice.url)
  const { url, method, headers, body } = notice.isSigned ? await sign(notice, keys) : notice
  const answer = await request(url, {
    ...{ method: method as 'POST', headers, dispatcher: agent, signal: AbortSignal.timeout(WITHIN_MS) },
    ...(body !== undefined && { body }),
  }).catch((error: Error) => {
    throw new Failure(outletFailures, 'noAnswer', host, error.message)
  })
  const said = (await answer.body.text().catch(() => '')).slice(0, KEPT_ANSWER)
  const { statusCode: status } = answer
  if (status >= 200 && status < 300) return
  if (refusal === 'refused') throw new Failure(outletFailures, 'refused', host, status, said)
  throw new Failure(outletFailures, 'indexNowRefused', host, status)
}

async function sign(notice: NoticeRequest, keys: Sending['keys']): Promise<NoticeRequest> {
  const client = new AwsClient({ ...keys, service: 'cloudfront', region: 'us-east-1' })
  const { body = '' } = notice
  const signed = await client.sign(notice.url, { method: notice.method, headers: notice.headers, body })
  return { ...notice, headers: Object.fromEntries(signed.headers) }
}
