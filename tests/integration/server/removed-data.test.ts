import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { insertAdministrator } from '#src/auth/administrator-store.ts'
import { removeAdministrator } from '#src/auth/switch-administrator.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { migrate } from '#src/db/migrate.ts'
import { findRemovals } from '#src/db/removals-store.ts'
import type { Schema } from '#src/db/schema.ts'
import { truncateLog } from '#src/db/truncate-log.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import type { FileStore } from '#src/files/file-store.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { createHousekeeping } from '#src/server/background/housekeeping.ts'
import { createCleanUpTurn } from '#src/server/removals/clean-up.ts'
import { deleteNote, insertNote } from '#src/submissions/inbox/note-store.ts'
import { deleteSelected } from '#src/submissions/inbox/sort-submissions.ts'
import { removeForm } from '#src/submissions/remove-form.ts'
import { applyRetention } from '#src/submissions/retention/retention.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { copyMigrated, temporaryFolder } from '../../support/database.ts'
import { storeForm } from '../../support/forms.ts'
import { printFigure } from '../../support/soak.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const OLD = '2026-01-20T10:00:00.000Z'

interface Site {
  dataDir: string
  uploadsDir: string
  files: FileStore
  db: Kysely<Schema>
  formId: number
  /** One look of the clean-up, as the server takes it every minute. */
  cleanUp(): Promise<void>
  index(): Promise<unknown>
}

async function aSite(t: TestContext, prepare: (path: string) => Promise<void> = copyMigrated): Promise<Site> {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  await prepare(path)
  const db = connectSqlite(path)
  const log = { error: (details: object) => assert.fail(JSON.stringify(details)) }
  const searchIndex = createSearchIndex({ db, log })
  t.after(async () => {
    await searchIndex.stop()
    await db.destroy()
  })
  const { id: formId } = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  const options = { db, searchIndex, dataDir, databaseUrl: `file:${path}`, now: () => NOW }
  const takeTurn = createCleanUpTurn(options)
  const cleanUp = () => takeTurn(new AbortController().signal)
  const uploadsDir = join(dataDir, 'uploads')
  return {
    dataDir,
    uploadsDir,
    files: openDiskFiles(dataDir),
    db,
    formId,
    cleanUp,
    index: () => searchIndex.catchUp(10_000),
  }
}

/** A submission with that text in everything that can belong to it. */
async function addSubmission({ db, formId, uploadsDir }: Site, text: string, submittedAt = OLD) {
  const answers = JSON.stringify({ answer: text, more: 'y'.repeat(randomInt(900)) })
  const { id: submission_id } = await db
    .insertInto('form_submissions')
    .values({ form_id: formId, submitted_at: submittedAt, data_json: answers })
    .returning('id')
    .executeTakeFirstOrThrow()
  const delivery = await db
    .insertInto('webhook_deliveries')
    .values({ submission_id, form_id: formId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('delivery_bodies').values({ delivery_id: delivery.id, body: answers }).execute()
  const folder = randomBytes(16).toString('hex')
  const file = { field_name: 'cv', name: `${text}.pdf`, size: 1, type: 'application/pdf', file: '1' }
  await db
    .insertInto('uploads')
    .values({ ...file, folder, submission_id, created_at: OLD })
    .execute()
  mkdirSync(join(uploadsDir, folder), { recursive: true })
  writeFileSync(join(uploadsDir, folder, '1'), text)
  return submission_id
}

/** The files that hold the text, or most of it: the search index keeps the beginning of a word once for several. */
function findFiles(dataDir: string, text: string): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(text.slice(4)))
    .map((file) => file.slice(dataDir.length + 1))
}

async function anAdministrator(db: Kysely<Schema>, email: string) {
  const id = await insertAdministrator(db, { email, name: null, passwordHash: 'x', now: NOW })
  assert.ok(id)
  return { id, email }
}

function randomText(): string {
  return Array.from({ length: 16 }, () => 'bcdfghjklmnpqrstvwxz'[randomInt(20)]).join('')
}

const REMOVALS: Record<string, (site: Site, id: number) => Promise<unknown>> = {
  'removed in the admin': ({ db, files }, id) => deleteSelected(db, [id], { scope: EVERY_LEAD, files }),
  'past its retention': ({ db, files }) => applyRetention(db, { now: NOW, files }),
  'removed with its form': ({ db, files }) =>
    removeForm(db, 'quote', { confirmation: 'quote', files, now: NOW }),
}

for (const [name, remove] of Object.entries(REMOVALS)) {
  test(`no file contains an answer of a submission ${name}`, async (t) => {
    const site = await aSite(t)
    const text = randomText()
    const id = await addSubmission(site, text)
    await site.index()
    await truncateLog(site.db)
    assert.equal(findFiles(site.dataDir, text).length, 2, 'the database and the file')
    await remove(site, id)
    assert.deepEqual(findFiles(site.dataDir, `    {"answer":"${text}"`), [], 'at once')
    await site.cleanUp()
    assert.deepEqual(findFiles(site.dataDir, text), [], 'after the clean-up')
  })
}

test('search words of a deleted submission go at the next check; the file is rewritten once a day', async (t) => {
  const site = await aSite(t)
  const { db, files } = site
  await deleteSelected(db, [await addSubmission(site, randomText())], { scope: EVERY_LEAD, files })
  await site.cleanUp()
  const text = randomText()
  const id = await addSubmission(site, text)
  await site.index()
  await deleteSelected(db, [id], { scope: EVERY_LEAD, files })
  assert.deepEqual(findFiles(site.dataDir, text), ['signpost.db'], 'in the index')
  await site.cleanUp()
  assert.deepEqual(findFiles(site.dataDir, text), [])
  assert.deepEqual(await findRemovals(db), { removed: 2, wordsCleaned: 2, rewritten: 1 })
})

test('no file contains a deleted note', async (t) => {
  const site = await aSite(t)
  const { db } = site
  const id = await addSubmission(site, randomText())
  const text = randomText()
  const author = await anAdministrator(db, 'ann@example.com')
  await insertNote(db, id, { author, body: text }, { now: NOW })
  await site.index()
  await truncateLog(db)
  assert.deepEqual(findFiles(site.dataDir, text), ['signpost.db'])
  const note = await db.selectFrom('submission_notes').select('id').executeTakeFirstOrThrow()
  assert.ok(await deleteNote(db, note.id, { scope: EVERY_LEAD, submissionId: id }))
  await site.cleanUp()
  assert.deepEqual(findFiles(site.dataDir, text), [])
})

test('a deleted note that is only in the WAL is removed from it', async (t) => {
  const site = await aSite(t)
  const { db } = site
  const id = await addSubmission(site, randomText())
  const author = await anAdministrator(db, 'ann@example.com')
  await site.index()
  await truncateLog(db)
  const text = randomText()
  await insertNote(db, id, { author, body: text }, { now: NOW })
  assert.deepEqual(findFiles(site.dataDir, text), ['signpost.db-wal'])
  const note = await db.selectFrom('submission_notes').select('id').executeTakeFirstOrThrow()
  assert.ok(await deleteNote(db, note.id, { scope: EVERY_LEAD, submissionId: id }))
  assert.deepEqual(findFiles(site.dataDir, text), ['signpost.db-wal'], 'as it was written')
  await site.cleanUp()
  assert.deepEqual(findFiles(site.dataDir, text), [])
})

test('no file contains rows that hourly housekeeping removes', async (t) => {
  const site = await aSite(t)
  const text = randomText()
  await site.db.insertInto('recent_posts').values({ address_hash: text, posted_at: OLD }).execute()
  await site.db.insertInto('spent_challenges').values({ challenge: text, expires_at: OLD }).execute()
  assert.notDeepEqual(findFiles(site.dataDir, text), [])
  const log = { info() {}, error: (details: object) => assert.fail(JSON.stringify(details)) }
  const { db, files } = site
  const housekeeping = createHousekeeping({
    db,
    files,
    pictureFiles: openPictureFiles(site.uploadsDir),
    limits: [],
    now: () => NOW,
    log,
  })
  housekeeping.start()
  await housekeeping.stop()
  assert.deepEqual(findFiles(site.dataDir, text), [])
})

test('no file contains a deleted user', async (t) => {
  const site = await aSite(t)
  const text = randomText()
  await anAdministrator(site.db, 'ann@example.com')
  const { id } = await anAdministrator(site.db, `${text}@example.com`)
  await truncateLog(site.db)
  assert.deepEqual(findFiles(site.dataDir, text), ['signpost.db'])
  assert.equal((await removeAdministrator(site.db, { actorId: undefined, userId: id })).kind, 'saved')
  assert.deepEqual(findFiles(site.dataDir, text), [])
})

test('50 of 500 resized submissions, removed at random, leave no bytes in the file', async (t) => {
  const site = await aSite(t)
  const { db, files } = site
  const texts = new Map<number, string>()
  await db.transaction().execute(async (trx) => {
    for (let count = 0; count < 500; count += 1) {
      const text = randomText()
      texts.set(await addSubmission({ ...site, db: trx }, text), text)
    }
  })
  await site.index()
  // Longer rows move to other pages, and SQLite leaves copies of their neighbors.
  await db.transaction().execute(async (trx) => {
    for (const id of texts.keys()) {
      const spam_code = 'z'.repeat(randomInt(600))
      if (id % 2) await trx.updateTable('form_submissions').set({ spam_code }).where('id', '=', id).execute()
    }
  })
  const removed = [...texts.keys()].sort(() => randomInt(3) - 1).slice(0, 50)
  for (let start = 0; start < 50; start += 10)
    await deleteSelected(db, removed.slice(start, start + 10), { scope: EVERY_LEAD, files })
  await site.cleanUp()
  const bytes = readFileSync(join(site.dataDir, 'signpost.db'))
  const left = removed.filter((id) => bytes.includes((texts.get(id) ?? '').slice(4)))
  assert.deepEqual(left, [])
  printFigure(t, `${left.length} of ${removed.length} found in the bytes`)
  assert.equal((await findRemovals(db))?.rewritten, 50)
  const { rows } = await sql`pragma integrity_check`.execute(db)
  assert.deepEqual(rows, [{ integrity_check: 'ok' }])
})

test('an upgrade purges deleted data that earlier versions left in the file', async (t) => {
  const text = randomText()
  const site = await aSite(t, async (path) => {
    const db = connectSqlite(path)
    await migrate(db, { to: '0051' })
    await sql`pragma secure_delete = off`.execute(db)
    for (let count = 0; count < 20; count += 1)
      await db
        .insertInto('form_submissions')
        .values({ form_id: 1, submitted_at: OLD, data_json: JSON.stringify({ answer: text }) })
        .execute()
    await db.deleteFrom('form_submissions').execute()
    await migrate(db)
    await db.destroy()
  })
  assert.deepEqual(findFiles(site.dataDir, text), ['signpost.db'])
  await site.cleanUp()
  assert.deepEqual(findFiles(site.dataDir, text), [])
})

test('the WAL is truncated later if another process is reading', async (t) => {
  const site = await aSite(t)
  const text = randomText()
  const id = await addSubmission(site, text)
  await truncateLog(site.db)
  const reader = connectSqlite(join(site.dataDir, 'signpost.db'))
  await sql`begin`.execute(reader)
  await sql`select * from forms`.execute(reader)
  await deleteSelected(site.db, [id], { scope: EVERY_LEAD, files: site.files })
  assert.notDeepEqual(findFiles(site.dataDir, text), [])
  await reader.destroy()
  await site.cleanUp()
  assert.deepEqual(findFiles(site.dataDir, text), [])
})

test('a database without deletions isn’t rewritten', async (t) => {
  const site = await aSite(t)
  await addSubmission(site, randomText())
  await site.cleanUp()
  assert.deepEqual(await findRemovals(site.db), { removed: 0, wordsCleaned: 0, rewritten: 0 })
})
