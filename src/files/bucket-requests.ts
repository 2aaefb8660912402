import { AwsClient } from 'aws4fetch'
import { fileStoreFailures } from '../messages/server/file-store.ts'
import type { Bucket, ListedFile } from './file-store.ts'

/** A refused or lost request is sent two more times, after 50 to 200 ms. */
const RETRIES = { retries: 2, initRetryMs: 50 }
/** Until the answer begins; the longer one with a file to send. */
const ANSWER_WITHIN_MS = 10_000
const STORED_WITHIN_MS = 30_000
// TLS protects the bytes on their way; hashing them first would read each file twice.
const UNHASHED = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }

/** A bucket that refused a request or did not answer. Its code is that of a disk that fails. */
export class BucketFailure extends Error {
  readonly code = 'EIO'
}

/** Sends a request for a key, or for `?` and a query; see `createRequests`. */
export type Ask = (
  method: string,
  path: string,
  more?: { body?: Blob; headers?: Record<string, string> },
) => Promise<Response>

/** Returns what sends signed requests. Answers are good ones, or 404; all others throw. */
export function createRequests(bucket: Bucket): Ask {
  const { endpoint, name, region, accessKeyId, secretAccessKey } = bucket
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', ...RETRIES })
  return async (method, path, { body, headers } = {}) => {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), body ? STORED_WITHIN_MS : ANSWER_WITHIN_MS)
    const response = await client
      .fetch(`${endpoint}/${name}/${path}`, {
        method,
        headers: { ...UNHASHED, ...headers },
        redirect: 'error',
        signal: deadline.signal,
        ...(body && { body }),
      })
      .catch((cause) => {
        throw new BucketFailure(fileStoreFailures.noAnswer(bucket), { cause })
      })
      // Reading a file may take any time.
      .finally(() => clearTimeout(timer))
    if (response.ok || response.status === 404) return response
    const said = (await response.text()).match(/<Code>(\w+)<\/Code>/)?.[1]
    throw new BucketFailure(fileStoreFailures.refused(bucket, response.status, said))
  }
}

/** Lists all keys that begin with this text, a thousand to a request. */
export async function* listFiles(
  bucket: Bucket,
  ask: Ask,
  start: string,
): AsyncIterable<ListedFile & { etag: string }> {
  let token: string | undefined
  do {
    const query = new URLSearchParams({ 'list-type': '2', prefix: bucket.prefix + start })
    if (token) query.set('continuation-token', token)
    const response = await ask('GET', `?${query}`)
    const page = await response.text()
    if (response.status === 404) throw new BucketFailure(fileStoreFailures.bucketMissing(bucket))
    for (const [, file = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      yield {
        key: textOf(file, 'Key').slice(bucket.prefix.length),
        size: Number(textOf(file, 'Size')),
        etag: textOf(file, 'ETag'),
        writtenAt: new Date(textOf(file, 'LastModified')),
      }
    token = textOf(page, 'NextContinuationToken') || undefined
  } while (token)
}

function textOf(xml: string, name: string): string {
  const text = xml.match(new RegExp(`<${name}>(.*?)</${name}>`, 's'))?.[1] ?? ''
  return text.replace(/&(amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);/gi, (_, entity: string) =>
    characterOf(entity),
  )
}

function characterOf(entity: string): string {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }[entity]
  if (named) return named
  return String.fromCodePoint(Number(/^#x/i.test(entity) ? `0${entity.slice(1)}` : entity.slice(1)))
}
