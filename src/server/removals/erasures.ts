import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import type { FileStore } from '../../files/file-store.ts'
import { createLoop, type Loop } from '../../lib/background/loop.ts'
import { createTurns } from '../../lib/background/turns.ts'
import type { Worker } from '../../lib/background/worker.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { finishErasures } from '../../privacy/erase-person.ts'

const EVERY_MS = 60_000

/** Erases people, including those requested from an earlier process. */
export interface Erasures extends Worker {
  /** Erases now everyone whose erasure was asked for; resolves when the rows and files are gone. */
  finish(): Promise<void>
}

export interface ErasuresOptions {
  db: Kysely<Schema>
  files: FileStore
  /** Removes remaining copies from the database file. */
  cleanUp: Pick<Loop, 'wake'>
  now: () => Date
  log: Pick<Log, 'info' | 'error'>
}

/** Creates the worker; it checks at the start and every minute, and `stop` ends it after the current step. */
export function createErasures({ db, files, cleanUp, now, log }: ErasuresOptions): Erasures {
  const stopping = new AbortController()
  const { signal } = stopping
  const inTurn = createTurns()

  // One after the other: two at once would count the same rows twice.
  const finish = () =>
    inTurn(async () => {
      const erased = await finishErasures(db, { files, now, signal })
      for (const { id, leads, files: gone, texts } of erased)
        log.info({ id, leads, files: gone, texts }, logTexts.erased)
      if (erased.length > 0) cleanUp.wake()
    })

  const loop = createLoop({ everyMs: EVERY_MS, turn: finish, failure: logTexts.erasureFailed, log })
  return {
    finish,
    start: loop.start,
    async stop() {
      stopping.abort()
      await loop.stop()
      await inTurn(async () => {})
    },
  }
}
