import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely, PostgresPool } from 'kysely'
import { openPool } from './postgres/postgres-pool.ts'
import type { Schema } from './schema.ts'

// On SQLite a wait means that another process holds the write lock, and the last answer is as good as a later one.
const SQLITE_ANSWER_MS = 1_000
const POSTGRES_ANSWER_MS = 1_800
// Checking PostgreSQL waits for its disk; within this time there is one check, however many callers ask.
const FRESH_MS = 1_000
// Two attempts fit into the time for an answer: the connection of the last check may be dead and the next one alive.
const PROBE = { connectMs: 800, lockMs: 700, statementMs: 750, idleInTransactionMs: 5_000, answerMs: 800 }

export interface CommitProbe {
  /** Returns true if a post could be stored now. Answers within 2 seconds and never throws. */
  canCommit(): Promise<boolean>
  close(): Promise<void>
}

/** Checks whether a post could be stored. On PostgreSQL it has its own connection, because all others may be busy. */
export function createCommitProbe(db: Kysely<Schema>, databaseUrl: string): CommitProbe {
  return databaseUrl.startsWith('file:')
    ? probeSqlite(db, databaseUrl.slice('file:'.length))
    : probePostgres(databaseUrl)
}

// Another process may hold the write lock for a while, and posts wait up to 5 seconds for it; until then the last
// answer counts.
function probeSqlite(db: Kysely<Schema>, path: string): CommitProbe {
  const look = shared(() =>
    db.transaction().execute((trx) => trx.selectFrom('form_submissions').select('id').limit(1).execute()),
  )
  let latest = false
  return {
    async canCommit() {
      // SQLite keeps writing to a file that was deleted.
      if (!existsSync(path)) return false
      latest = await Promise.race([look(), soon(SQLITE_ANSWER_MS, () => latest)])
      return latest
    },
    close: async () => {},
  }
}

function probePostgres(databaseUrl: string): CommitProbe {
  let opening: Promise<PostgresPool> | undefined
  const open = () => {
    opening ??= openPool(databaseUrl, { deadlines: PROBE, maxConnections: 1 })
    return opening
  }
  const look = shared(async () => commitNothing(await open()).catch(async () => commitNothing(await open())))
  let goodAt = Number.NEGATIVE_INFINITY
  return {
    async canCommit() {
      if (performance.now() - goodAt < FRESH_MS) return true
      const isGood = await Promise.race([look(), soon(POSTGRES_ANSWER_MS, () => false)])
      if (isGood) goodAt = performance.now()
      return isGood
    },
    close: async () => (await opening)?.end(),
  }
}

// Everything that a post needs: the locks of its inserts and of the rows they refer to, a database that accepts writes,
// and a commit that reaches the disk. The message goes to the server's write-ahead log only, not to a table.
const WHAT_A_POST_NEEDS = `begin;
  lock table forms, form_webhooks in row share mode;
  lock table form_submissions, webhook_deliveries, notification_mails, recent_posts in row exclusive mode;
  select pg_logical_emit_message(true, 'signpost', 'health') as at;
  select 1 / (current_setting('transaction_read_only') = 'off')::int as takes_writes;
  commit`

async function commitNothing(pool: PostgresPool) {
  const client = await pool.connect()
  try {
    await client.query(WHAT_A_POST_NEEDS, [])
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** Lets simultaneous callers share one check; resolves with whether it succeeded. */
function shared(look: () => Promise<unknown>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined
  return () => {
    running ??= look()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        running = undefined
      })
    return running
  }
}

async function soon(withinMs: number, answer: () => boolean): Promise<boolean> {
  await delay(withinMs, undefined, { ref: false })
  return answer()
}
