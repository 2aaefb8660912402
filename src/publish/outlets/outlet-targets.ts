import type { Bucket, FileStore } from '../../files/file-store.ts'
import { createDestinationPolicy } from '../../webhooks/sending/destination-address.ts'
import { createDestinationAgent } from '../../webhooks/sending/destination-agent.ts'
import { indexNowFile } from './index-now-file.ts'
import { openPublicBucket, type PublicBucket } from './public-bucket.ts'
import {
  indexNowWay,
  type NoticeWay,
  purgeWayOf,
  SERVICE_ORIGINS,
  type ServiceOrigins,
} from './purge-requests.ts'
import { sendNotice } from './send-notices.ts'

/** Service to notify of changed addresses, at most `most` per request. */
interface Teller {
  most: number
  send(addresses: readonly string[]): Promise<void>
}

/** External copies of the live site. */
export interface OutletTargets {
  siteUrl: string
  /** Identifies the copy whose state is stored. */
  place: string
  /** Files that all servers share. */
  files: FileStore
  bucket: PublicBucket | undefined
  purge: Teller | undefined
  indexNow: Teller | undefined
  /** Additional files of the site, by key. */
  texts: ReadonlyMap<string, string>
}

interface Settings {
  siteUrl: string
  publicBucket: Bucket | undefined
  publicKeys: Pick<Bucket, 'accessKeyId' | 'secretAccessKey'>
  purge?: Parameters<typeof purgeWayOf>[0] | undefined
  purgeToken?: string | undefined
  indexnow: boolean
  webhookAllow: readonly string[]
  secretKeys: () => readonly Uint8Array[]
}

/** Opens the targets in the configuration; undefined if there are none. */
export function openTargets(
  settings: Settings,
  { files, origins = SERVICE_ORIGINS }: { files: FileStore; origins?: ServiceOrigins },
): OutletTargets | undefined {
  const { siteUrl, publicBucket, purge, purgeToken: token } = settings
  const keyFile = indexNowFile(settings)
  if (!publicBucket && !purge && !keyFile) return undefined
  const policy = createDestinationPolicy(settings.webhookAllow)
  const agent = createDestinationAgent({ policy, timeoutMs: 10_000 })
  const tellerOf = ({ most, build }: NoticeWay, refusal: 'refused' | 'indexNowRefused'): Teller => ({
    most,
    send: (addresses) => sendNotice(build(addresses), { agent, keys: settings.publicKeys, refusal }),
  })
  return {
    ...{ siteUrl, files },
    place: publicBucket
      ? `${publicBucket.endpoint} ${publicBucket.name} ${publicBucket.prefix}`
      : `visitors of ${siteUrl}`,
    bucket: publicBucket && openPublicBucket(publicBucket),
    purge: purge && tellerOf(purgeWayOf(purge, { token, origins }), 'refused'),
    indexNow: keyFile && tellerOf(indexNowWay({ key: keyFile.key, siteUrl, origins }), 'indexNowRefused'),
    texts: new Map(keyFile ? [[keyFile.path.slice(1), keyFile.key]] : []),
  }
}
