import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { BucketFailure, createRequests, listFiles } from '../../files/bucket-requests.ts'
import type { Bucket } from '../../files/file-store.ts'
import { cacheControlOf, contentTypeOf } from '../../lib/files/public-file.ts'
import { outletFailures } from '../../messages/server/outlets.ts'
import type { SiteObject } from './site-objects.ts'

/** A bucket that serves a site: objects with the headers for visitors. */
export type PublicBucket = ReturnType<typeof openPublicBucket>

export function openPublicBucket(bucket: Bucket) {
  const ask = createRequests(bucket)
  const pathOf = (key: string) => (bucket.prefix + key).split('/').map(encodeURIComponent).join('/')

  return {
    /** Stores one object. Its body is a file below `siteDir`, or a text. */
    async put(key: string, object: SiteObject, siteDir: string): Promise<void> {
      const { file, text = '', type = contentTypeOf(key), redirectTo } = object
      const body = file === undefined ? new Blob([text]) : await openAsBlob(join(siteDir, file))
      const headers = {
        'content-type': type,
        'cache-control': cacheControlOf(key),
        ...(redirectTo && { 'x-amz-website-redirect-location': redirectTo }),
      }
      const answer = await ask('PUT', pathOf(key), { body, headers })
      await answer.body?.cancel()
      if (answer.status === 404) throw new BucketFailure(outletFailures.bucketMissing(bucket.name))
    },
    async remove(key: string): Promise<void> {
      await (await ask('DELETE', pathOf(key))).body?.cancel()
    },
    /** Lists the objects, with MD5 hashes if the service provides them. */
    async list(): Promise<Map<string, { size: number; etag: string }>> {
      const found = new Map<string, { size: number; etag: string }>()
      for await (const { key, size, etag } of listFiles(bucket, ask, '')) found.set(key, { size, etag })
      return found
    },
  }
}
