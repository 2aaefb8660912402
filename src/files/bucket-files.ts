import { openAsBlob } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { fileStoreFailures } from '../messages/server/file-store.ts'
import type { Bucket, FileStore, ListedFile } from './file-store.ts'

/** A refused or lost request is sent two more times, after 50 to 200 ms. */
const RETRIES = { retries: 2, initRetryMs: 50 }
/** Until the answer begins; the longer one with a file to send. */
const ANSWER_WITHIN_MS = 10_000
const STORED_WITHIN_MS = 30_000
// TLS protects the bytes on their way; hashing them first would read each file twice.
const UNHASHED = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }

/** A bucket that refused a request or did not answer. Its code is that of a disk that fails. */
class BucketFailure extends Error {
  readonly code = 'EIO'
}

/** Files of a bucket of an S3 service, by path-style addresses. */
export function openBucketFiles(bucket: Bucket, { dataDir }: { dataDir: string }): FileStore {
  const { name, prefix } = bucket
  const ask = createRequests(bucket)

  async function write(key: string, content: Blob) {
    const { status, body } = await ask('PUT', prefix + key, content)
    await body?.cancel()
    if (status === 404) throw new BucketFailure(fileStoreFailures.bucketMissing(name))
  }

  return {
    localFolder: dataDir,
    // A crash in between leaves files that no row names.
    async keepFolder(folder, key) {
      for (const file of await readdir(folder))
        await write(`${key}/${file}`, await openAsBlob(join(folder, file)))
    },
    write,
    async open(key) {
      const { status, headers, body } = await ask('GET', prefix + key)
      if (status === 404 || !body) {
        await body?.cancel()
        return undefined
      }
      return { size: Number(headers.get('content-length')), stream: Readable.fromWeb(body as ReadableStream) }
    },
    async remove(key) {
      const keys = [key]
      for await (const file of listFiles(bucket, ask, `${key}/`)) keys.push(file.key)
      for (const one of keys) await (await ask('DELETE', prefix + one)).body?.cancel()
    },
    list: (key) => listFiles(bucket, ask, key === '' ? '' : `${key}/`),
  }
}

type Ask = (method: string, path: string, body?: Blob) => Promise<Response>

/** Sends signed requests. Answers are good ones, or 404; all others throw. */
function createRequests({ endpoint, name, region, accessKeyId, secretAccessKey }: Bucket): Ask {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', ...RETRIES })
  return async (method, path, body) => {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), body ? STORED_WITHIN_MS : ANSWER_WITHIN_MS)
    const response = await client
      .fetch(`${endpoint}/${name}/${path}`, {
        method,
        headers: UNHASHED,
        redirect: 'error',
        signal: deadline.signal,
        ...(body && { body }),
      })
      .catch((cause) => {
        throw new BucketFailure(fileStoreFailures.noAnswer(name), { cause })
      })
      // Reading a file may take any time.
      .finally(() => clearTimeout(timer))
    if (response.ok || response.status === 404) return response
    const said = (await response.text()).match(/<Code>(\w+)<\/Code>/)?.[1]
    throw new BucketFailure(fileStoreFailures.refused(name, response.status, said))
  }
}

/** Lists all keys that begin with this text, a thousand to a request. */
async function* listFiles({ name, prefix }: Bucket, ask: Ask, start: string): AsyncIterable<ListedFile> {
  let token: string | undefined
  do {
    const query = new URLSearchParams({ 'list-type': '2', prefix: prefix + start })
    if (token) query.set('continuation-token', token)
    const response = await ask('GET', `?${query}`)
    const page = await response.text()
    if (response.status === 404) throw new BucketFailure(fileStoreFailures.bucketMissing(name))
    for (const [, file = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
      yield {
        key: textOf(file, 'Key').slice(prefix.length),
        size: Number(textOf(file, 'Size')),
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
