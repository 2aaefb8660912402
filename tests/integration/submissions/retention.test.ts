import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { findSchemaRevision, migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { createHousekeeping } from '#src/server/background/housekeeping.ts'
import { applyRetention, planRetention } from '#src/submissions/retention/retention.ts'
import { countSubmissions } from '#src/submissions/retention/retention-store.ts'
import { openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { countRows } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { runScript, waitFor } from '../../support/running-site.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const OLD = '2026-10-20T10:00:00.000Z'
const RECENT = '2026-11-19T10:00:00.000Z'

async function addSubmission(db: Kysely<Schema>, formId: number, submittedAt: string) {
  const { id } = await db
    .insertInto('form_submissions')
    .values({ form_id: formId, submitted_at: submittedAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A submission with one of everything that can belong to it. Returns the folder of its file. */
async function addWholeSubmission(db: Kysely<Schema>, formId: number, dataDir: string) {
  const submission_id = await addSubmission(db, formId, OLD)
  const delivery = await db
    .insertInto('webhook_deliveries')
    .values({ submission_id, form_id: formId })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('delivery_bodies')
    .values({ delivery_id: delivery.id, body: 'secret answers' })
    .execute()
  const attempt = { attempt_number: 1, started_at: OLD, duration_ms: 1 }
  await db
    .insertInto('delivery_attempts')
    .values({
      ...attempt,
      delivery_id: delivery.id,
      request_url: 'https://hooks.example.com',
      response_body: 'x',
    })
    .execute()
  const mail = await db
    .insertInto('notification_mails')
    .values({ submission_id, form_id: formId, recipient: 'leads@example.com', created_at: OLD })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('mail_attempts')
    .values({ ...attempt, mail_id: mail.id })
    .execute()
  const folder = 'ab'.repeat(16)
  const file = { field_name: 'cv', name: 'cv.pdf', size: 1, type: 'application/pdf', folder, file: 'cv' }
  await db
    .insertInto('uploads')
    .values({ ...file, submission_id, created_at: OLD })
    .execute()
  const path = join(dataDir, 'uploads', folder)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'cv'), 'x')
  return path
}

test('§2.1 retention_days removes a submission with its files, deliveries, attempts, and emails', async (t) => {
  const db = await openTestDatabase(t)
  const dataDir = temporaryFolder(t)
  const files = openDiskFiles(dataDir)
  const form = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  const folder = await addWholeSubmission(db, form.id, dataDir)
  const recent = await addSubmission(db, form.id, RECENT)
  const done = await applyRetention(db, { now: NOW, files })
  assert.deepEqual(done, [
    { formId: form.id, slug: 'quote', days: 30, before: '2026-10-21T10:00:00.000Z', count: 1 },
  ])
  const left = await db.selectFrom('form_submissions').select('id').execute()
  assert.deepEqual(left, [{ id: recent }])
  for (const table of [
    'webhook_deliveries',
    'delivery_bodies',
    'delivery_attempts',
    'notification_mails',
    'mail_attempts',
    'uploads',
  ] as const) {
    assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table)
  }
  assert.equal(existsSync(folder), false)
})

test('§2.1 retention_days null keeps submissions forever', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { retention_days: null } })
  await addSubmission(db, form.id, '1999-01-01T00:00:00.000Z')
  assert.deepEqual(await planRetention(db, { now: NOW }), [])
  assert.deepEqual(await applyRetention(db, { now: NOW, files: openDiskFiles(temporaryFolder(t)) }), [])
  assert.equal(await countRows(db, 'form_submissions'), 1)
})

test('§2.1 an extreme retention_days doesn’t affect other forms', async (t) => {
  const db = await openTestDatabase(t)
  await storeForm(db, 'archive', { settings: { retention_days: Number.MAX_SAFE_INTEGER } })
  const form = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  await addSubmission(db, form.id, OLD)
  const done = await applyRetention(db, { now: NOW, files: openDiskFiles(temporaryFolder(t)) })
  assert.deepEqual(
    done.map(({ slug, count }) => [slug, count]),
    [
      ['archive', 0],
      ['quote', 1],
    ],
  )
})

test('retention works in batches and yields the event loop between them', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  const rows = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)`
  await sql`${rows} insert into form_submissions (form_id, submitted_at) select ${form.id}, ${OLD} from n`.execute(
    db,
  )
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const [done] = await applyRetention(db, { now: NOW, files: openDiskFiles(temporaryFolder(t)) })
  isDone = true
  assert.equal(done?.count, 1_000)
  assert.ok(turns >= 20, `${turns} turns`)
})

test('retention stops after the current batch when the server stops, and resumes at the next start', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  for (let post = 0; post < 3; post += 1) await addSubmission(db, form.id, OLD)
  const dataDir = temporaryFolder(t)
  const files = openDiskFiles(dataDir)
  const [stopped] = await applyRetention(db, { now: NOW, files, signal: AbortSignal.abort() })
  assert.equal(stopped?.count, 0)
  const [done] = await applyRetention(db, { now: NOW, files })
  assert.equal(done?.count, 3)
})

test('contract §1 npm run retention: a dry run lists counts per form, a run removes', async (t) => {
  const dataDir = temporaryFolder(t)
  const db = connectDatabase(`file:${join(dataDir, 'signpost.db')}`)
  t.after(() => db.destroy())
  await migrate(db)
  const form = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  await addSubmission(db, form.id, '2020-01-01T00:00:00.000Z')
  await addSubmission(db, form.id, new Date().toISOString())
  const dry = await runScript('retention.ts', { dataDir, arguments: ['--dry-run'] })
  assert.equal(dry.code, 0)
  assert.match(dry.output, /^quote: would remove 1 submission from before \S+ \(kept for 30 days\)$/m)
  assert.equal(await countRows(db, 'form_submissions'), 2)
  const run = await runScript('retention.ts', { dataDir })
  assert.match(run.output, /^quote: removed 1 submission from before \S+ \(kept for 30 days\)$/m)
  assert.equal(await countRows(db, 'form_submissions'), 1)
  assert.equal((await runScript('retention.ts', { dataDir, arguments: ['--now'] })).code, 2)
})

test('a dry run of retention writes nothing: no folder and no migration', async (t) => {
  const dataDir = temporaryFolder(t)
  const environment = { DATA_DIR: join(dataDir, 'new') }
  const fresh = await runScript('retention.ts', { dataDir, environment, arguments: ['--dry-run'] })
  assert.deepEqual(fresh, { code: 0, output: 'No form has retention_days, so everything is kept.\n' })
  const db = connectDatabase(`file:${join(dataDir, 'signpost.db')}`)
  t.after(() => db.destroy())
  await migrate(db, { to: '0036' })
  const before = await findSchemaRevision(db)
  const older = await runScript('retention.ts', { dataDir, arguments: ['--dry-run'] })
  assert.equal(older.code, 1)
  assert.match(
    older.output,
    /^Migrations are pending, and a dry run does not apply them\. Run npm run migrate first$/m,
  )
  assert.equal(await findSchemaRevision(db), before)
  assert.deepEqual(
    [environment.DATA_DIR, join(dataDir, 'secret.key')].filter((path) => existsSync(path)),
    [],
  )
})

test('the server cleans up at its start: retention, address hashes, used challenges', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  await addSubmission(db, form.id, OLD)
  const posts = Array.from({ length: 700 }, () => ({ address_hash: 'old', posted_at: OLD }))
  await db.insertInto('recent_posts').values(posts).execute()
  const lately = new Date(NOW.getTime() - 60_000).toISOString()
  await db.insertInto('recent_posts').values({ address_hash: 'new', posted_at: lately }).execute()
  await db.insertInto('spent_challenges').values({ challenge: 'old', expires_at: OLD }).execute()
  const errors: object[] = []
  const log = { info() {}, error: (details: object) => errors.push(details) }
  const limits = [{ count: 1, windowMs: 60_000 }]
  const dataDir = temporaryFolder(t)
  const files = openDiskFiles(dataDir)
  const housekeeping = createHousekeeping({
    db,
    files,
    pictureFiles: openPictureFiles(dataDir),
    limits,
    now: () => NOW,
    log,
  })
  housekeeping.start()
  await waitFor(async () => (await countRows(db, 'form_submissions')) === 0)
  await housekeeping.stop()
  const left = await db.selectFrom('recent_posts').select('address_hash').execute()
  assert.deepEqual(left, [{ address_hash: 'new' }])
  assert.deepEqual(await db.selectFrom('spent_challenges').selectAll().execute(), [])
  assert.deepEqual(errors, [])
})

test('housekeeping repeats after ten minutes, an hour, and a day', async (t) => {
  const db = await openTestDatabase(t)
  const pauses: number[] = []
  const enough = Promise.withResolvers<void>()
  // Time stands still in a turn, and nobody wakes up.
  t.mock.method(performance, 'now', () => 0)
  t.mock.method(globalThis, 'setTimeout', (_wake: () => void, ms: number) => {
    if (pauses.push(ms) === 6) enough.resolve()
  })
  const log = { info() {}, error: (details: object) => assert.fail(JSON.stringify(details)) }
  const folder = temporaryFolder(t)
  const options = {
    db,
    files: openDiskFiles(folder),
    pictureFiles: openPictureFiles(folder),
    limits: [],
    now: () => NOW,
    log,
  }
  const housekeeping = createHousekeeping(options)
  housekeeping.start()
  await enough.promise
  await housekeeping.stop()
  const inMinutes = pauses.map((ms) => ms / 60_000).sort((a, b) => a - b)
  assert.deepEqual(inMinutes, [10, 60, ...Array(4).fill(24 * 60)])
})

test('a plan of retention counts what is past its time', async (t) => {
  const db = await openTestDatabase(t)
  const form = await storeForm(db, 'quote', { settings: { retention_days: 30 } })
  await storeForm(db, 'other')
  for (const at of [OLD, '2026-10-21T09:59:59.999Z', '2026-10-21T10:00:00.000Z', RECENT])
    await addSubmission(db, form.id, at)
  const before = '2026-10-21T10:00:00.000Z'
  assert.deepEqual(await planRetention(db, { now: NOW }), [
    { formId: form.id, slug: 'quote', days: 30, before, count: 2 },
  ])
  assert.equal(await countSubmissions(db, form.id), 4)
})
