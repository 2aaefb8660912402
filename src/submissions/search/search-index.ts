import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { createLoop } from '../../lib/background/loop.ts'
import type { Worker } from '../../lib/background/worker.ts'
import { inParts } from '../../lib/in-parts.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { listNotesOf } from '../inbox/note-store.ts'
import { describeSubmissions } from './describe-submissions.ts'
import {
  addPendingOfRebuild,
  findUnindexed,
  insertSearchWords,
  replaceSearchWords,
  takePendingIds,
} from './search-store.ts'

const BATCH = 50
/** Characters of words stored per turn of the event loop, in about 10 ms: usually a whole batch. */
const STORED_AT_ONCE = { room: 20_000, sizeOf: ({ words }: { words: string }) => words.length }
const EVERY_MS = 1_000
// Posts take priority: this many rows per second keep up with any ordinary day.
const BATCHES_WHILE_BUSY = 4
const BATCHES_AT_REST = 20
const MOST_BEFORE_A_SEARCH = 200

export interface SearchIndex extends Worker {
  /** Reports that a submission or note was stored, or a note deleted. The index follows within seconds. */
  wake(): void
  /** Brings the index up to date now, up to `most` submissions; returns true when nothing is left. */
  catchUp(most?: number): Promise<boolean>
}

/**
 * Indexes submissions for the inbox search in the background, and never in a post's own transaction, where it would
 * cost as much as storing the post. A crash loses nothing: what is missing has a higher ID than the newest indexed
 * row, or is on the list of submissions to index again.
 */
export function createSearchIndex({ db, log }: { db: Kysely<Schema>; log: Pick<Log, 'error'> }): SearchIndex {
  const stopping = new AbortController()
  let isBehind = true
  let isBusy = false
  let current: Promise<unknown> = Promise.resolve()

  // Returns true when nothing is left.
  async function indexBatch(): Promise<boolean> {
    const { ids, isOutdated } = await findUnindexed(db, { limit: BATCH })
    await indexNew(db, ids)
    if (ids.length === BATCH) return false
    return !isOutdated || indexAgain(db)
  }

  async function indexBatches(batches: number): Promise<boolean> {
    for (let batch = 0; batch < batches && !stopping.signal.aborted; batch++) {
      if (await indexBatch()) return true
      await nextTurn()
    }
    return false
  }

  // One run at a time: two would insert the same rows.
  function enqueue(batches: number): Promise<boolean> {
    const next = current.then(() => indexBatches(batches))
    current = next.catch((err) => log.error({ err }, logTexts.searchFailed))
    return next
  }

  async function keepUp() {
    if (!isBehind) return
    const batches = isBusy ? BATCHES_WHILE_BUSY : BATCHES_AT_REST
    isBusy = false
    isBehind = false
    if (!(await enqueue(batches).catch(() => false))) isBehind = true
  }

  const loop = createLoop({
    everyMs: EVERY_MS,
    firstAfterMs: EVERY_MS,
    turn: keepUp,
    failure: logTexts.searchFailed,
    log,
  })

  return {
    start: loop.start,
    wake() {
      isBehind = true
      isBusy = true
    },
    catchUp: (most = MOST_BEFORE_A_SEARCH) => enqueue(Math.ceil(most / BATCH)),
    async stop() {
      stopping.abort()
      await loop.stop()
      await current
    },
  }
}

// Without notes: submissions with new notes are on the list to index again.
async function indexNew(db: Kysely<Schema>, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  // From the lowest ID on: after a crash between two batches, everything missing has a higher ID than the newest row.
  for (const part of inParts(await describeSubmissions(db, ids), STORED_AT_ONCE))
    await db.transaction().execute((trx) => insertSearchWords(trx, part))
}

// Returns true if all words are up to date. A submission that changes after it left the list is added to it again.
async function indexAgain(db: Kysely<Schema>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const ids = await takePendingIds(trx, { limit: BATCH })
    const described = await describeSubmissions(trx, ids, await listNotesOf(trx, ids))
    for (const part of inParts(described, STORED_AT_ONCE)) {
      await replaceSearchWords(trx, part)
      await nextTurn()
    }
    return ids.length < BATCH && !(await addPendingOfRebuild(trx, { limit: BATCH }))
  })
}
