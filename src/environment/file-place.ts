import { resolve } from 'node:path'
import { z } from 'zod'
import type { FilePlace } from '../files/file-store.ts'

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
  return { kind: 'bucket', ...bucket, accessKeyId, secretAccessKey }
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
