import type { CompiledQuery, QueryResult } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { createPostLog, type Limit, type PostLog } from './post-log.ts'
import { type CountedRow, lockSenders, recentPostsOf } from './recent-post-store.ts'
import { namesOf, type SenderNames } from './sender-names.ts'

/** A post with a place in the limits. */
export interface CountedPost {
  sender: SenderNames
  /** UTC text. */
  postedAt: string
}

/** A count across all servers. */
export interface PostCount {
  /** Statements to run in the transaction that stores the posts, before they count as accepted. */
  queries: readonly CompiledQuery<unknown>[]
  /** Returns the wait of each post in milliseconds, in the given order; 0 if it is accepted. */
  read(results: readonly QueryResult<unknown>[]): number[]
}

interface CountOptions {
  limits: readonly Limit[]
  /** Receives senders who have to wait, and until when. */
  onFull: (sender: string, until: number) => void
}

/** Counts posts together with those accepted by other servers. A sender's posts are counted one after another. */
export function countPosts(
  db: Db,
  posts: readonly CountedPost[],
  { limits, onFull }: CountOptions,
): PostCount {
  const hashes = [...new Set(posts.flatMap(({ sender }) => namesOf(sender)))]
  const longestMs = Math.max(...limits.map(({ windowMs }) => windowMs))
  const first = Math.min(...posts.map(({ postedAt }) => Date.parse(postedAt)))
  const since = new Date(first - longestMs)
  return {
    queries: [lockSenders(db, hashes), recentPostsOf(db, hashes, { since })],
    read(results) {
      const rows = (results[1]?.rows ?? []) as CountedRow[]
      const log = logOf(rows, { posts, limits })
      return posts.map(({ sender: { current }, postedAt }) => {
        const time = Date.parse(postedAt)
        const waitMs = log.waitMs(current, time)
        if (waitMs > 0) onFull(current, time + waitMs)
        else log.add(current, time)
        return waitMs
      })
    },
  }
}

function logOf(
  rows: readonly CountedRow[],
  { posts, limits }: { posts: readonly CountedPost[]; limits: readonly Limit[] },
): PostLog {
  const log = createPostLog(limits)
  const names = posts.flatMap(({ sender }) => namesOf(sender).map((name) => [name, sender.current] as const))
  const currentOf = new Map(names)
  for (const row of rows)
    log.add(currentOf.get(row.address_hash) ?? row.address_hash, Date.parse(row.posted_at))
  return log
}
