import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { countRemoval, findRemovals } from '#src/db/removals-store.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { requestErasure } from '#src/privacy/erase-person.ts'
import { findErasure } from '#src/privacy/erasure-store.ts'
import { cleanUpNow, createCleanUp, createCleanUpTurn } from '#src/server/removals/clean-up.ts'
import { createErasures } from '#src/server/removals/erasures.ts'
import { openRemoving } from '#src/server/removals/open-removing.ts'
import { atEnd } from '../../support/at-end.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { waitFor } from '../../support/running-site.ts'
import { ERASER, NOW, PERSON, storeLead, toPerson } from '../privacy/stored-person.ts'

const DAY_MS = 86_400_000

async function aSite(t: TestContext) {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const logged: unknown[] = []
  const note = (fields: object) => logged.push(fields)
  const log = { info: note, error: note }
  let wakes = 0
  const cleanUp = {
    wake() {
      wakes += 1
    },
  }
  const files = openDiskFiles(dataDir)
  const store = () =>
    storeLead(db, { answers: { email: PERSON.email }, text: PERSON.email, uploadsDir: `${dataDir}/uploads` })
  const request = () => requestErasure(db, toPerson(PERSON), ERASER, { now: NOW })
  return { db, dataDir, files, log, logged, cleanUp, wakes: () => wakes, store, request }
}

test('people are erased one request after the other, and remaining copies then', async (t) => {
  const { db, files, log, logged, cleanUp, wakes, store, request } = await aSite(t)
  const erasures = createErasures({ db, files, cleanUp, now: () => NOW, log })
  await erasures.finish()
  assert.deepEqual([logged, wakes()], [[], 0])
  await store()
  const id = await request()
  await Promise.all([erasures.finish(), erasures.finish()])
  const [{ leads, files: gone } = { leads: 0, files: 0 }] = logged as { leads: number; files: number }[]
  assert.deepEqual([logged.length, leads, gone, wakes()], [1, 1, 1, 1])
  assert.equal((await findErasure(db, id))?.finishedAt, NOW.toISOString())
  await request()
  atEnd(t, () => erasures.stop())
  erasures.start()
  await waitFor(async () => wakes() === 2)
  await erasures.stop()
  const last = await request()
  await erasures.finish()
  assert.equal((await findErasure(db, last))?.finishedAt, null, 'the program stops')
})

test('a failed erasure fails for who asked, and is tried again', async (t) => {
  const { db, files, log, cleanUp, request, wakes } = await aSite(t)
  let isAway = true
  const now = () => {
    if (isAway) throw new Error('away')
    return NOW
  }
  const erasures = createErasures({ db, files, cleanUp, now, log })
  await request()
  await assert.rejects(erasures.finish(), /away/)
  isAway = false
  await erasures.finish()
  assert.equal(wakes(), 1)
})

test('the file is rewritten once a day, or as soon as an erasure needs it', async (t) => {
  const { db, dataDir } = await aSite(t)
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db)
  const databaseUrl = `file:${rows[0]?.file}`
  let needed = 0
  let nowMs = NOW.getTime()
  let isIndexed = false
  const turn = createCleanUpTurn({
    ...{ db, databaseUrl, dataDir, searchIndex: { catchUp: async () => isIndexed } },
    ...{ findNeededRewrite: async () => needed, now: () => new Date(nowMs) },
  })
  const take = async (signal = new AbortController().signal) => {
    await turn(signal)
    const found = await findRemovals(db)
    return [found?.removed, found?.wordsCleaned, found?.rewritten]
  }
  await countRemoval(db)
  assert.deepEqual(await take(AbortSignal.abort()), [1, 0, 0])
  assert.deepEqual(await take(), [1, 0, 0], 'the index is behind')
  isIndexed = true
  assert.deepEqual(await take(), [1, 1, 1])
  await countRemoval(db)
  nowMs += DAY_MS - 1
  assert.deepEqual(await take(), [2, 2, 1])
  needed = 1
  assert.deepEqual(await take(), [2, 2, 1], 'an earlier one')
  needed = 2
  assert.deepEqual(await take(), [2, 2, 2])
  await countRemoval(db)
  nowMs += DAY_MS
  assert.deepEqual(await take(), [3, 3, 3])
})

test('a command cleans everything at once, and nothing on PostgreSQL', async (t) => {
  const { db } = await aSite(t)
  await countRemoval(db)
  const asked: unknown[] = []
  const searchIndex = {
    async catchUp(most?: number) {
      asked.push(most)
      return true
    },
  }
  await cleanUpNow(db, searchIndex)
  assert.deepEqual(asked, [Number.POSITIVE_INFINITY])
  assert.deepEqual(await findRemovals(db), { removed: 1, wordsCleaned: 1, rewritten: 1 })
  const postgres = postgresEngine()
  atEnd(t, () => postgres.close())
  await cleanUpNow(await postgres.openMigrated(), searchIndex)
  assert.equal(asked.length, 1)
})

test('the first check for removed data comes after a minute', async (t) => {
  const { db, dataDir, files, log, logged } = await aSite(t)
  await countRemoval(db)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let checks = 0
  const searchIndex = {
    async catchUp() {
      checks += 1
      return false
    },
  }
  const parts = { db, files, searchIndex, now: () => NOW, log }
  const { cleanUp } = openRemoving({ databaseUrl: 'file:none', dataDir }, parts)
  const own = createCleanUp({ ...parts, databaseUrl: 'file:none', dataDir })
  for (const worker of [cleanUp, own]) worker.start()
  t.mock.timers.tick(59_999)
  await new Promise(setImmediate)
  assert.equal(checks, 0)
  t.mock.timers.tick(1)
  t.mock.timers.reset()
  await waitFor(async () => checks === 2)
  await Promise.all([cleanUp.stop(), own.stop()])
  assert.deepEqual(logged, [])
})
