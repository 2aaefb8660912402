import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { KeyRing } from '../../lib/key-ring.ts'
import { createPostLog, type Limit, type PostLog } from './post-log.ts'
import { listRecentPosts } from './recent-post-store.ts'
import { createSenderNames, type SenderNames } from './sender-names.ts'
import { type CountedPost, countPosts, type PostCount } from './shared-counts.ts'
import { addUpload, createUploadRoom, UPLOAD_LIMIT, type UploadRoom } from './upload-room.ts'

const PAGE = 2_000

type Place =
  /** The post counts immediately, so that simultaneous posts see each other. */
  { kind: 'taken'; sender: SenderNames; giveBack(): void } | { kind: 'too_many'; retryAfterSeconds: number }

export interface PostLimits {
  /** Reserves a place for one post from that address to that form. Release it if the post isn't accepted. */
  take(formId: number, address: string): Promise<Place>
  /** Reserves room for the bytes that a post announces. Uploads in progress count too. */
  takeUpload(formId: number, address: string, announcedBytes: number): Promise<UploadRoom>
  /**
   * Counts posts on all servers, in the transaction that stores them; undefined on SQLite, where there is one server.
   */
  countTogether(db: Db, posts: readonly CountedPost[]): PostCount | undefined
}

interface PostLimitsOptions {
  db: Kysely<Schema>
  limits: readonly Limit[]
  secretKeys: KeyRing
  now: () => Date
}

/**
 * Limits per address and form (contract §2). They are counted in memory, and each accepted post adds a row in its own
 * transaction (`recent_posts`). On SQLite, a new process restores the counts from these rows. On PostgreSQL the rows
 * decide, for all servers together, and memory only saves queries for posts that would be refused anyway. Neither
 * holds an address in clear text.
 */
export function createPostLimits({ db, limits, secretKeys, now }: PostLimitsOptions): PostLimits {
  const log = createPostLog(limits)
  const uploads = createPostLog([UPLOAD_LIMIT])
  const longestMs = Math.max(...[...limits, UPLOAD_LIMIT].map(({ windowMs }) => windowMs))
  const namesOf = createSenderNames(secretKeys, { longestMs })
  const isShared = engineOf(db) === 'postgres'
  const uploadRoom = createUploadRoom({ uploads, sharedDb: isShared ? db : undefined, now })
  let loading: Promise<void> | undefined = isShared ? Promise.resolve() : undefined

  function load() {
    loading ??= readRecentPosts(db, { log, uploads }, now().getTime() - longestMs).catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  function senderOf(formId: number, address: string, time: number): SenderNames {
    const sender = namesOf(formId, address, time)
    for (const one of [log, uploads]) for (const before of sender.earlier) one.join(before, sender.current)
    return sender
  }

  return {
    async take(formId, address) {
      await load()
      const time = now().getTime()
      const sender = senderOf(formId, address, time)
      const waitMs = log.waitMs(sender.current, time)
      if (waitMs > 0) return { kind: 'too_many', retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      log.add(sender.current, time)
      return { kind: 'taken', sender, giveBack: () => log.remove(sender.current, time) }
    },

    async takeUpload(formId, address, announcedBytes) {
      await load()
      return uploadRoom.take((time) => senderOf(formId, address, time), announcedBytes)
    },

    countTogether(trx, posts) {
      if (!isShared || posts.length === 0) return undefined
      return countPosts(trx, posts, { limits, onFull: (sender, until) => log.close(sender, until) })
    },
  }
}

// In pages, so that a long list delays nobody.
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
