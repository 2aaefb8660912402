import { resolve } from 'node:path'
import { z } from 'zod'
import type { Bucket, FilePlace } from '../files/file-store.ts'

const DEFAULT_REGION = 'us-east-1'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PREFIX = /^(\/[\w.-]+)*\/?$/

interface Keys {
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

export const fileStore = z
  .string()
  .refine((text) => /^file:.+/.test(text) || readBucket(text) !== undefined)
  .describe('file:DIR or s3://BUCKET/PREFIX?endpoint=URL&region=REGION')

/** `PUBLISH_TO`: the bucket that a static host or CDN serves. */
export const publishTo = z
  .string()
  .refine((text) => readBucket(text) !== undefined)
  .describe('s3://BUCKET/PREFIX?endpoint=URL&region=REGION')

/** Returns the bucket that a checked `PUBLISH_TO` names; its own keys come before those of `FILE_STORE`. */
export function publicBucketOf(
  text: string | undefined,
  keys: Keys & { PUBLISH_ACCESS_KEY_ID?: string | undefined; PUBLISH_SECRET_ACCESS_KEY?: string | undefined },
): Bucket | undefined {
  const bucket = text === undefined ? undefined : readBucket(text)
  const accessKeyId = keys.PUBLISH_ACCESS_KEY_ID ?? keys.S3_ACCESS_KEY_ID ?? ''
  const secretAccessKey = keys.PUBLISH_SECRET_ACCESS_KEY ?? keys.S3_SECRET_ACCESS_KEY ?? ''
  return bucket && { variable: 'PUBLISH_TO', ...bucket, accessKeyId, secretAccessKey }
}

/** Returns true if `PUBLISH_TO` has a key and its secret, of its own or of `FILE_STORE`. */
export function hasPublishKey(
  env: Parameters<typeof publicBucketOf>[1] & { PUBLISH_TO?: string | undefined },
): boolean {
  if (env.PUBLISH_TO === undefined) return true
  const hasOwn = Boolean(env.PUBLISH_ACCESS_KEY_ID && env.PUBLISH_SECRET_ACCESS_KEY)
  return hasOwn || Boolean(env.S3_ACCESS_KEY_ID && env.S3_SECRET_ACCESS_KEY)
}

/** Returns true if this key is set where a bucket needs it. */
export function hasKey(name: keyof Keys) {
  return (env: Keys & { FILE_STORE?: string | undefined }): boolean =>
    !env.FILE_STORE?.startsWith('s3:') || Boolean(env[name])
}

/** Returns the place that a checked `FILE_STORE` names, or this folder by default. */
export function filePlaceOf(text: string | undefined, keys: Keys, dataDir: string): FilePlace {
  if (text === undefined) return { kind: 'disk', folder: dataDir }
  const bucket = readBucket(text)
  if (!bucket) return { kind: 'disk', folder: resolve(text.slice('file:'.length)) }
  const { S3_ACCESS_KEY_ID: accessKeyId = '', S3_SECRET_ACCESS_KEY: secretAccessKey = '' } = keys
  return { kind: 'bucket', variable: 'FILE_STORE', ...bucket, accessKeyId, secretAccessKey }
}

function readBucket(text: string) {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !BUCKET.test(url.host) || !PREFIX.test(url.pathname)) return undefined
  const region = url.searchParams.get('region') ?? DEFAULT_REGION
  const endpoint = URL.parse(url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  const isOrigin = endpoint && /^https?:$/.test(endpoint.protocol) && endpoint.pathname === '/'
  if (!isOrigin || endpoint.username || endpoint.password || endpoint.search) return undefined
  const path = url.pathname.replace(/^\/|\/$/g, '')
  return { endpoint: endpoint.origin, name: url.host, prefix: path && `${path}/`, region }
}
