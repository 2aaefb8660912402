import { statSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { findRemovals, type Removals, setWordsCleaned } from '../../db/removals-store.ts'
import { MAX_REWRITE_BYTES } from '../../db/rewrite-file.ts'
import type { Schema } from '../../db/schema.ts'
import { truncateLog } from '../../db/truncate-log.ts'
import { cleanWords } from '../../submissions/search/clean-words.ts'
import type { SearchIndex } from '../../submissions/search/search-index.ts'
import { runVacuum } from './vacuum-process.ts'

const LOOK_MS = 60_000
const DAY_MS = 24 * 3_600_000

interface CleanUpOptions {
  db: Kysely<Schema>
  databaseUrl: string
  dataDir: string
  searchIndex: Pick<SearchIndex, 'catchUp'>
  now: () => Date
  log: { error(details: object, message: string): void }
}

/**
 * Takes removed data out of the SQLite file: within a minute from the log and the search index, within a day from the rest
 * of the file. The first look comes a minute after the start. `stop` ends a step under way.
 */
export function startCleanUp(options: CleanUpOptions): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const look = createCleanUp(options, stopping.signal)
  let current: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    current = current.then(look).catch((err) => {
      if (!stopping.signal.aborted) options.log.error({ err }, 'removed data is not cleaned up yet')
    })
  }, LOOK_MS).unref()
  return {
    stop() {
      clearInterval(timer)
      stopping.abort()
      return current
    },
  }
}

/** One look after the other: see `startCleanUp`. */
export function createCleanUp(
  { db, databaseUrl, dataDir, searchIndex, now }: CleanUpOptions,
  signal: AbortSignal,
): () => Promise<void> {
  let truncated = -1
  let rewrittenAt = Number.NEGATIVE_INFINITY
  const databasePath = databaseUrl.slice('file:'.length)

  // Whether no words are left.
  async function cleanIndex({ removed, wordsCleaned }: Removals): Promise<boolean> {
    if (wordsCleaned === removed) return true
    if (!((await searchIndex.catchUp()) && (await cleanWords(db, { signal })))) return false
    await setWordsCleaned(db, removed)
    truncated = -1
    return true
  }

  async function rewrite({ removed, rewritten }: Removals) {
    if (rewritten === removed || now().getTime() - rewrittenAt < DAY_MS) return
    if (statSync(databasePath).size > MAX_REWRITE_BYTES) return
    rewrittenAt = now().getTime()
    // Whoever asks the database waits meanwhile, without holding up the process.
    await db.connection().execute(() => runVacuum({ dataDir, databasePath }, signal))
  }

  return async () => {
    const removals = await findRemovals(db)
    if (!removals || signal.aborted) return
    if (await cleanIndex(removals)) await rewrite(removals)
    if (truncated !== removals.removed && (await truncateLog(db))) truncated = removals.removed
  }
}
