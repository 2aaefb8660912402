import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Kysely } from 'kysely'
import { findRemovals, type Removals, setWordsCleaned } from '../../db/removals-store.ts'
import { MAX_REWRITE_BYTES, rewriteFile } from '../../db/rewrite-file.ts'
import type { Schema } from '../../db/schema.ts'
import { truncateLog } from '../../db/truncate-log.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { cleanWords } from '../../submissions/search/clean-words.ts'
import type { SearchIndex } from '../../submissions/search/search-index.ts'
import { runScript } from '../background/script-process.ts'

const LOOK_MS = 60_000
const DAY_MS = 24 * 3_600_000

interface CleanUpOptions {
  db: Kysely<Schema>
  databaseUrl: string
  dataDir: string
  searchIndex: Pick<SearchIndex, 'catchUp'>
  /** Number of removals after which the file is rewritten without waiting for the next day. */
  findNeededRewrite?: () => Promise<number>
  now: () => Date
  log: Pick<Log, 'error'>
}

/**
 * Purges removed data from the SQLite file: within a minute from the WAL and the search index, within a day from the
 * rest of the file. Checks first a minute after the start. `stop` ends a step in progress.
 */
export function createCleanUp(options: CleanUpOptions): Worker & Pick<Loop, 'wake'> {
  return createLoop({
    everyMs: LOOK_MS,
    firstAfterMs: LOOK_MS,
    turn: createCleanUpTurn(options),
    failure: logTexts.cleanUpFailed,
    log: options.log,
  })
}

/** Checks once: see `createCleanUp`. */
export function createCleanUpTurn({
  db,
  databaseUrl,
  dataDir,
  searchIndex,
  findNeededRewrite = async () => 0,
  now,
}: Omit<CleanUpOptions, 'log'>): (signal: AbortSignal) => Promise<void> {
  let truncated = -1
  let rewrittenAt = Number.NEGATIVE_INFINITY
  const databasePath = databaseUrl.slice('file:'.length)
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    // SQLite makes a temporary copy: beside the database, not where others can read it.
    SQLITE_TMPDIR: dirname(databasePath),
  }

  // Returns true when no words are left.
  async function cleanIndex({ removed, wordsCleaned }: Removals, signal: AbortSignal): Promise<boolean> {
    if (wordsCleaned === removed) return true
    if (!((await searchIndex.catchUp()) && (await cleanWords(db, { signal })))) return false
    await setWordsCleaned(db, removed)
    truncated = -1
    return true
  }

  async function rewrite({ removed, rewritten }: Removals, signal: AbortSignal) {
    const isNeeded = (await findNeededRewrite()) > rewritten
    const isRecent = now().getTime() - rewrittenAt < DAY_MS
    if (rewritten === removed || (isRecent && !isNeeded)) return
    if (statSync(databasePath).size > MAX_REWRITE_BYTES) return
    rewrittenAt = now().getTime()
    // Queries wait meanwhile, without blocking the process.
    await db.connection().execute(() => runScript('vacuum', { environment }, signal))
  }

  return async (signal) => {
    const removals = await findRemovals(db)
    if (!removals || signal.aborted) return
    if (await cleanIndex(removals, signal)) await rewrite(removals, signal)
    if (truncated !== removals.removed && (await truncateLog(db))) truncated = removals.removed
  }
}

/**
 * Purges removed data from the search index and the SQLite file at once, for any size: for a command. Nothing to do on
 * PostgreSQL.
 */
export async function cleanUpNow(
  db: Kysely<Schema>,
  searchIndex: Pick<SearchIndex, 'catchUp'>,
): Promise<void> {
  const removals = await findRemovals(db)
  if (!removals) return
  await searchIndex.catchUp(Number.POSITIVE_INFINITY)
  if (await cleanWords(db)) await setWordsCleaned(db, removals.removed)
  await rewriteFile(db)
}
