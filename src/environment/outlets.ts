import { z } from 'zod'
import { hasPublishKey, publishTo } from './file-place.ts'

/** Service that forgets changed addresses: a CDN by its name and zone, or a request of the operator's. */
export type PurgeWay =
  | { kind: 'cloudflare'; zone: string }
  | { kind: 'cloudfront'; distribution: string }
  | { kind: 'fastly' }
  /** One request for each address where the URL holds `{url}`; else lists of addresses as JSON. */
  | { kind: 'request'; url: string }

const purge = z
  .string()
  .transform(readPurge)
  .refine((way) => way !== undefined)
  .transform((way) => way as PurgeWay)
  .describe('cloudflare:ZONE, cloudfront:DISTRIBUTION, fastly, or a URL that may contain {url}')

const indexNow = z
  .enum(['yes', 'no'])
  .transform((text) => text === 'yes')
  .describe('yes or no')

/** Keys of buckets, and variables of copies outside and of announcements of changes. */
export const outletVariables = {
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('an S3 access key'),
  S3_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('the secret key that belongs to the access key'),
  /** Bucket that a static host or CDN serves. */
  PUBLISH_TO: publishTo.optional(),
  PUBLISH_ACCESS_KEY_ID: z.string().min(1).optional().describe('an access key for the bucket'),
  PUBLISH_SECRET_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('the secret key that belongs to the access key'),
  PURGE: purge.optional(),
  PURGE_TOKEN: z.string().min(1).optional().describe('a CDN API token'),
  INDEXNOW: indexNow.default(false),
}

/** Returns true if `PURGE` has the token that the service needs. */
export function hasPurgeToken(env: {
  PURGE?: PurgeWay | undefined
  PURGE_TOKEN?: string | undefined
}): boolean {
  return !env.PURGE || !['cloudflare', 'fastly'].includes(env.PURGE.kind) || Boolean(env.PURGE_TOKEN)
}

/** Returns true if what signs with keys has them. */
export function hasPublicKeys(
  env: Parameters<typeof hasPublishKey>[0] & { PURGE?: PurgeWay | undefined },
): boolean {
  return env.PURGE?.kind === 'cloudfront' ? hasPublishKey({ ...env, PUBLISH_TO: '' }) : hasPublishKey(env)
}

function readPurge(text: string): PurgeWay | undefined {
  if (text === 'fastly') return { kind: 'fastly' }
  const [, service, id = ''] = /^(cloudflare|cloudfront):([A-Za-z0-9]{1,64})$/.exec(text) ?? []
  if (service === 'cloudflare') return { kind: 'cloudflare', zone: id }
  if (service === 'cloudfront') return { kind: 'cloudfront', distribution: id }
  const url = URL.parse(text)
  const isRequest = url && /^https?:$/.test(url.protocol) && !url.username && !url.password
  return isRequest ? { kind: 'request', url: text } : undefined
}
