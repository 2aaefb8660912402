import { openAsBlob } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { fileStoreFailures } from '../messages/server/file-store.ts'
import { BucketFailure, createRequests, listFiles } from './bucket-requests.ts'
import type { Bucket, FileStore } from './file-store.ts'

/** Files of a bucket of an S3 service, by path-style addresses. */
export function openBucketFiles(bucket: Bucket, { dataDir }: { dataDir: string }): FileStore {
  const { prefix } = bucket
  const ask = createRequests(bucket)

  async function write(key: string, content: Blob) {
    const { status, body } = await ask('PUT', prefix + key, { body: content })
    await body?.cancel()
    if (status === 404) throw new BucketFailure(fileStoreFailures.bucketMissing(bucket))
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
