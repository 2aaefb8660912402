import { createHmac, hkdfSync } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../db/schema.ts'
import type { KeyRing } from '../../lib/key-ring.ts'
import { createPostLog, type Limit, type PostLog } from './post-log.ts'
import { listRecentPosts } from './recent-post-store.ts'

const DAY_MS = 86_400_000
const MIB = 1024 * 1024
/** Maximum of uploads by one address to one form: 512 MiB in an hour, counted in MiB begun, refused posts included. */
const UPLOAD_LIMIT: Limit = { count: 512, windowMs: 3_600_000 }
const PAGE = 2_000
const HASH_LENGTH = 22
const KEPT_HASHES = 10_000

type Place =
  /** The post counts already, so that posts of the same moment see each other. */
  { kind: 'taken'; addressHash: string; giveBack(): void } | { kind: 'too_many'; retryAfterSeconds: number }

type UploadRoom =
  /** To be told how much was received, which counts whatever became of it. */
  { kind: 'taken'; settle(receivedBytes: number): void } | { kind: 'too_many'; retryAfterSeconds: number }

export interface PostLimits {
  /** Takes a place for one post of that address to that form; to be given back when the post is not accepted. */
  take(formId: number, address: string): Promise<Place>
  /** Takes the room for a post that announces so many bytes: what is on its way counts too. */
  takeUpload(formId: number, address: string, announcedBytes: number): Promise<UploadRoom>
}

interface PostLimitsOptions {
  db: Db
  limits: readonly Limit[]
  secretKeys: KeyRing
  now: () => Date
}

/**
 * Limits per address and form (contract §2). They count in memory; each accepted post leaves a row in its own
 * transaction (`recent_posts`), from which a new process counts on. Neither has an address in clear text: a sender is a
 * keyed hash of form, address and day.
 */
export function createPostLimits({ db, limits, secretKeys, now }: PostLimitsOptions): PostLimits {
  const log = createPostLog(limits)
  const uploads = createPostLog([UPLOAD_LIMIT])
  const hash = createAddressHash()
  const longestMs = Math.max(...[...limits, UPLOAD_LIMIT].map(({ windowMs }) => windowMs))
  let loading: Promise<void> | undefined

  function load() {
    loading ??= readRecentPosts(db, { log, uploads }, now().getTime() - longestMs).catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  // The hash changes at midnight and with the key; what was posted before still counts.
  function senderOf(formId: number, address: string, time: number) {
    const times = time % DAY_MS >= longestMs ? [time] : [time, time - DAY_MS]
    const [sender = '', ...earlier] = times.flatMap((at) =>
      secretKeys().map((key) => hash(key, `${Math.floor(at / DAY_MS)}/${formId}/${address}`)),
    )
    for (const one of [log, uploads]) for (const before of earlier) one.join(before, sender)
    return sender
  }

  return {
    async take(formId, address) {
      await load()
      const time = now().getTime()
      const sender = senderOf(formId, address, time)
      const waitMs = log.waitMs(sender, time)
      if (waitMs > 0) return { kind: 'too_many', retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      log.add(sender, time)
      return { kind: 'taken', addressHash: sender, giveBack: () => log.remove(sender, time) }
    },
    async takeUpload(formId, address, announcedBytes) {
      await load()
      const time = now().getTime()
      const sender = senderOf(formId, address, time)
      const waitMs = uploads.waitMs(sender, time)
      if (waitMs > 0) return { kind: 'too_many', retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      addUpload(uploads, sender, time, announcedBytes)
      return {
        kind: 'taken',
        settle(receivedBytes) {
          const endedAt = now().getTime()
          const today = senderOf(formId, address, endedAt)
          for (let begun = announcedBytes; begun > 0; begun -= MIB) uploads.remove(today, time)
          addUpload(uploads, today, endedAt, receivedBytes)
        },
      }
    },
  }
}

function createAddressHash() {
  const byKey = new WeakMap<Uint8Array, (text: string) => string>()
  return (secretKey: Uint8Array, text: string) => {
    const hash = byKey.get(secretKey) ?? createKeyedHash(secretKey)
    byKey.set(secretKey, hash)
    return hash(text)
  }
}

function createKeyedHash(secretKey: Uint8Array) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'signpost post limits', 32))
  // A hash takes 10 µs; whoever posts again is looked up.
  const known = new Map<string, string>()
  return (text: string) => {
    const hash =
      known.get(text) ?? createHmac('sha256', key).update(text).digest('base64url').slice(0, HASH_LENGTH)
    if (known.size >= KEPT_HASHES) known.clear()
    known.set(text, hash)
    return hash
  }
}

function addUpload(uploads: PostLog, sender: string, time: number, bytes: number) {
  for (let begun = 0; begun < bytes; begun += MIB) uploads.add(sender, time)
}

// In pages, so that a long list holds up nobody.
async function readRecentPosts(db: Db, { log, uploads }: Record<'log' | 'uploads', PostLog>, since: number) {
  let afterId = 0
  for (;;) {
    const posts = await listRecentPosts(db, { afterId, limit: PAGE })
    for (const { addressHash, postedAt, uploadBytes } of posts) {
      const time = Date.parse(postedAt)
      if (time <= since) continue
      log.add(addressHash, time)
      addUpload(uploads, addressHash, time, uploadBytes)
    }
    if (posts.length < PAGE) return
    afterId = posts.at(-1)?.id ?? afterId
    await nextTurn()
  }
}
