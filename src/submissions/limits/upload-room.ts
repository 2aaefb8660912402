import type { Kysely } from 'kysely'
import { runTogether } from '../../db/postgres/pipeline.ts'
import type { Schema } from '../../db/schema.ts'
import { createPostLog, type Limit, type PostLog } from './post-log.ts'
import { lockSenders } from './recent-post-store.ts'
import {
  commitInBackground,
  insertRecentUpload,
  recentUploadsOf,
  type UploadRow,
  updateRecentUpload,
} from './recent-upload-store.ts'
import { namesOf, type SenderNames } from './sender-names.ts'

const MIB = 1024 * 1024
/**
 * Maximum that one address may upload to one form: 512 MiB per hour, rounded up to whole MiB per post, including
 * refused posts.
 */
export const UPLOAD_LIMIT: Limit = { count: 512, windowMs: 3_600_000 }

export type UploadRoom =
  /** Records how much was received. It counts even if the post is refused. */
  { kind: 'taken'; settle(receivedBytes: number): void } | { kind: 'too_many'; retryAfterSeconds: number }

interface RoomOptions {
  /** Counts the uploads of this server. */
  uploads: PostLog
  /** The database in which servers count together; undefined for a single server. */
  sharedDb: Kysely<Schema> | undefined
  now: () => Date
}

/** Reserves room for uploads: in memory, and with several servers in the database too. */
export function createUploadRoom({ uploads, sharedDb, now }: RoomOptions) {
  function giveBack(sender: string, { time, bytes }: { time: number; bytes: number }) {
    for (let begun = bytes; begun > 0; begun -= MIB) uploads.remove(sender, time)
  }

  return {
    /** Reserves room for the announced bytes. `senderAt` names the sender at a given time. */
    async take(senderAt: (time: number) => SenderNames, bytes: number): Promise<UploadRoom> {
      const time = now().getTime()
      const sender = senderAt(time)
      const waitMs = uploads.waitMs(sender.current, time)
      if (waitMs > 0) return tooMany(waitMs)
      addUpload(uploads, sender.current, time, bytes)
      const shared = await (sharedDb && takeShared(sharedDb, { sender, bytes, now }))?.catch((error) => {
        giveBack(sender.current, { time, bytes })
        throw error
      })
      if (shared && 'waitMs' in shared) {
        giveBack(sender.current, { time, bytes })
        return tooMany(shared.waitMs)
      }
      return {
        kind: 'taken',
        settle(receivedBytes) {
          const endedAt = now().getTime()
          const today = senderAt(endedAt).current
          giveBack(today, { time, bytes })
          addUpload(uploads, today, endedAt, receivedBytes)
          shared?.settle(receivedBytes)
        },
      }
    },
  }
}

function tooMany(waitMs: number): UploadRoom {
  return { kind: 'too_many', retryAfterSeconds: Math.ceil(waitMs / 1_000) }
}

interface SharedUpload {
  sender: SenderNames
  bytes: number
  now: () => Date
}

type SharedRoom = { waitMs: number } | { settle(receivedBytes: number): void }

function takeShared(db: Kysely<Schema>, { sender, bytes, now }: SharedUpload): Promise<SharedRoom> {
  const startedAt = now()
  const since = new Date(startedAt.getTime() - UPLOAD_LIMIT.windowMs)
  const hashes = namesOf(sender)
  return db.transaction().execute(async (trx) => {
    const queries = [
      commitInBackground(trx),
      lockSenders(trx, hashes),
      recentUploadsOf(trx, hashes, { since }),
    ]
    const [, , uploads] = await runTogether(trx, queries)
    const log = createPostLog([UPLOAD_LIMIT])
    for (const row of (uploads?.rows ?? []) as UploadRow[])
      addUpload(log, sender.current, Date.parse(row.started_at), row.bytes)
    const waitMs = log.waitMs(sender.current, startedAt.getTime())
    if (waitMs > 0) return { waitMs }
    const id = await insertRecentUpload(trx, { addressHash: sender.current, startedAt, bytes })
    return {
      settle(receivedBytes) {
        // Until updated, the database counts the announced bytes.
        updateRecentUpload(db, id, { endedAt: now(), bytes: receivedBytes }).catch(() => {})
      },
    }
  })
}

/** Counts an upload in whole MiB, rounded up. */
export function addUpload(uploads: PostLog, sender: string, time: number, bytes: number) {
  for (let begun = 0; begun < bytes; begun += MIB) uploads.add(sender, time)
}
