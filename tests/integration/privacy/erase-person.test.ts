import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { verifyAuditChain } from '#src/auth/audit/audit-chain.ts'
import { connectSqlite } from '#src/db/connect.ts'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { finishErasures, requestErasure } from '#src/privacy/erase-person.ts'
import { findErasure, findNeededRewrite, listErasures } from '#src/privacy/erasure-store.ts'
import { findPerson, isNothing } from '#src/privacy/find-person.ts'
import { createCleanUpTurn } from '#src/server/removals/clean-up.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { countBytes } from '#tests/support/count-bytes.ts'
import { copyMigrated, sqliteEngine, temporaryFolder } from '#tests/support/database.ts'
import { postgresEngine } from '#tests/support/postgres-engine.ts'
import { PROJECT_DIR } from '#tests/support/running-site.ts'
import { printFigure, soakLength } from '#tests/support/soak.ts'
import { ERASER, fillEveryText, NOW, PERSON, storeLead, storeWorld, toPerson } from './stored-person.ts'

const KILLS = soakLength(3, 30)
const LEADS = 400

const now = () => NOW

async function aSite(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  await copyMigrated(path)
  const db = connectSqlite(path)
  const searchIndex = createSearchIndex({
    db,
    log: { error: (details) => assert.fail(JSON.stringify(details)) },
  })
  atEnd(t, async () => {
    await searchIndex.stop()
    await db.destroy()
  })
  const takeTurn = createCleanUpTurn({
    ...{ db, dataDir, databaseUrl: `file:${path}`, searchIndex, now },
    findNeededRewrite: () => findNeededRewrite(db),
  })
  const cleanUp = () => takeTurn(new AbortController().signal)
  return {
    dataDir,
    path,
    db,
    searchIndex,
    cleanUp,
    files: openDiskFiles(dataDir),
    uploadsDir: join(dataDir, 'uploads'),
  }
}

const readAll = async (db: Kysely<Schema>) =>
  JSON.stringify([
    await db.selectFrom('form_submissions').selectAll().orderBy('id').execute(),
    await db.selectFrom('submission_notes').selectAll().orderBy('id').execute(),
    await db.selectFrom('delivery_bodies').selectAll().orderBy('delivery_id').execute(),
  ])

test('no byte of an erased person remains in the database file, its WAL, or the uploads', async (t) => {
  const { dataDir, db, searchIndex, cleanUp, uploadsDir, files } = await aSite(t)
  const { other, mention } = await storeWorld(db, uploadsDir)
  await searchIndex.catchUp(10_000)
  // Names stand in the index as words, and the person's answers in the rows alone.
  const needles = [PERSON.email, '087 765 4321', '(0)87 765-4321', 'qwyzel', 'aoife']
  const answers = await db.selectFrom('form_submissions').select(['id', 'data_json']).execute()
  const { email, phone, name } = PERSON
  await fillEveryText(
    db,
    `My neighbor ${name} wrote to you some weeks ago from ${email}, and then called from ${phone}.`,
  )
  for (const { id, data_json } of answers)
    await db.updateTable('form_submissions').set({ data_json }).where('id', '=', id).execute()
  assert.ok(countBytes(dataDir, needles) > 10)
  await requestErasure(db, toPerson({ email, phone, text: name }), ERASER, { now: NOW })
  const [erased] = await finishErasures(db, { files, now })
  assert.deepEqual([erased?.leads, erased?.files], [2, 2])
  await cleanUp()
  const left = countBytes(dataDir, needles)
  printFigure(t, `${left} occurrences of the person left`)
  assert.equal(left, 0)
  const ids = (await db.selectFrom('form_submissions').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )
  assert.deepEqual(ids, [mention.id, other.id])
  assert.ok((await readAll(db)).includes('bob@mail.example'), 'others are still there')
  assert.ok((await readAll(db)).includes('My neighbor [erased]'), 'what stood beside the person too')
})

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: matches are counted, and an erasure leaves none`, async (t) => {
    const db = await engine.openMigrated()
    const dataDir = temporaryFolder(t)
    const [files, uploadsDir] = [openDiskFiles(dataDir), join(dataDir, 'uploads')]
    const { first, second, mention } = await storeWorld(db, uploadsDir)
    const person = toPerson({ email: PERSON.email, phone: PERSON.phone })
    const found = await findPerson(db, person)
    assert.deepEqual(found.leads, [first.id, second.id])
    assert.deepEqual(found.mentions, [mention.id])
    assert.deepEqual(found.parts, {
      ...{ uploads: 2, submission_notes: 2, notification_mails: 2, reply_mails: 2, webhook_deliveries: 2 },
    })
    // Of the lead that mentions them: its file, note, mail, attempt, reply, delivery, body, and answer; and the log.
    assert.equal(
      found.elsewhere.values().reduce((sum, count) => sum + count, 0),
      9,
    )
    await requestErasure(db, person, ERASER, { now: NOW })
    await finishErasures(db, { files, now })
    assert.ok(isNothing(await findPerson(db, person)))
    const [erasure] = await listErasures(db, { limit: 1 })
    assert.deepEqual([erasure?.leads, erasure?.files, erasure?.texts], [2, 2, 10])
    const rows = await db.selectFrom('privacy_erasures').select('person_json').execute()
    assert.deepEqual(rows, [{ person_json: null }])
  })

  test(`${engine.name}: the audit log stays intact, lists redactions, and doesn’t name the person`, async (t) => {
    const db = await engine.openMigrated()
    await storeWorld(db, temporaryFolder(t))
    const before = await verifyAuditChain(db)
    assert.equal(before.kind, 'intact')
    await requestErasure(db, toPerson(PERSON), ERASER, { now: NOW })
    await finishErasures(db, { files: openDiskFiles(temporaryFolder(t)), now })
    assert.equal(
      (await verifyAuditChain(db, { head: before.kind === 'intact' ? before.head : '' })).kind,
      'intact',
    )
    const entries = await db.selectFrom('audit_log').selectAll().orderBy('id').execute()
    assert.equal(entries[1]?.summary, 'Changed the recipient to [erased]')
    assert.deepEqual(
      entries.slice(3).map(({ action, subject_type, subject_id }) => [action, subject_type, subject_id]),
      [
        ['audit.redacted', 'audit_entry', String(entries[1]?.id)],
        ['privacy.erased', 'privacy_erasure', '1'],
      ],
    )
    assert.doesNotMatch(JSON.stringify(entries), /kelly|4321/i)
    // Someone who only marks an entry as redacted is noticed.
    const { id = 0 } = entries[0] ?? {}
    await db
      .updateTable('audit_log')
      .set({ summary: 'Nothing', is_redacted: 1 })
      .where('id', '=', id)
      .execute()
    assert.deepEqual((await verifyAuditChain(db)).kind, 'broken')
  })
}

test('leads that only mention the person are deleted on request', async (t) => {
  const { db, uploadsDir, files } = await aSite(t)
  const { other } = await storeWorld(db, uploadsDir)
  await requestErasure(db, toPerson({ ...PERSON, deletesMentions: true }), ERASER, { now: NOW })
  await finishErasures(db, { files, now })
  const ids = (await db.selectFrom('form_submissions').select('id').execute()).map(({ id }) => id)
  assert.deepEqual(ids, [other.id])
})

test('an erasure that is stopped midway stays unfinished, and the next one finishes it', async (t) => {
  const { db, uploadsDir, files } = await aSite(t)
  const { email } = PERSON
  const leads = 25
  for (let count = 0; count < leads; count += 1)
    await storeLead(db, { answers: { email }, text: email, uploadsDir })
  const id = await requestErasure(db, toPerson({ email }), ERASER, { now: NOW })
  const stop = new AbortController()
  const stopping = {
    ...files,
    remove(key: string) {
      stop.abort()
      return files.remove(key)
    },
  }
  assert.deepEqual(await finishErasures(db, { files: stopping, now, signal: stop.signal }), [])
  const cut = await findErasure(db, id)
  assert.deepEqual([cut?.leads, cut?.finishedAt], [20, null])
  const [done] = await finishErasures(db, { files, now })
  assert.deepEqual(
    [done?.id, done?.leads, done?.files, done?.finishedAt],
    [id, leads, leads, NOW.toISOString()],
  )
  assert.equal(await findErasure(db, id + 1), undefined)
  assert.deepEqual(await finishErasures(db, { files, now }), [], 'nothing is left to erase')
})

test('the file is rewritten for the latest erasure', async (t) => {
  const { db, files } = await aSite(t)
  assert.equal(await findNeededRewrite(db), 0)
  const removals: (number | null | undefined)[] = []
  for (const email of ['ann@mail.example', 'bob@mail.example']) {
    await requestErasure(db, toPerson({ email }), ERASER, { now: NOW })
    const [erasure] = await finishErasures(db, { files, now })
    removals.push(erasure?.removal)
  }
  const [first, second] = removals
  assert.ok(first && second && first < second, String(removals))
  assert.equal(await findNeededRewrite(db), second)
})

test('a killed erasure resumes after the next start', async (t) => {
  const { dataDir, path, db, cleanUp, uploadsDir, files } = await aSite(t)
  const { email } = PERSON
  await db.transaction().execute(async (trx) => {
    for (let count = 0; count < LEADS; count += 1)
      await storeLead(trx, { answers: { email }, text: email, uploadsDir })
  })
  await requestErasure(db, toPerson({ email }), ERASER, { now: NOW })
  const script = join(PROJECT_DIR, 'tests/fixtures/erasure-process.ts')
  let cut = 0
  for (let kills = 0; kills < KILLS; kills += 1) {
    const child = spawn(process.execPath, [script, path, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    atEnd(t, () => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    await wait(20 + Math.random() * 60)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const [erasure] = await listErasures(db, { limit: 1 })
    if (erasure?.finishedAt === null) cut += 1
  }
  await finishErasures(db, { files, now })
  await cleanUp()
  const [erasure] = await listErasures(db, { limit: 1 })
  assert.deepEqual([erasure?.leads, erasure?.files], [LEADS, LEADS])
  assert.equal(countBytes(dataDir, [email]), 0)
  assert.ok(cut > 0, 'at least one was cut short')
  printFigure(t, `${KILLS} kills, ${cut} of them before the end; 0 occurrences left`)
})
