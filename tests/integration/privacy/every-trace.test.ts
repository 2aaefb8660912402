import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { appendAuditEntry, verifyAuditChain } from '#src/auth/audit/audit-chain.ts'
import { readConfig } from '#src/config.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import type { Schema } from '#src/db/schema.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { openFileStore } from '#src/files/open-file-store.ts'
import { finishErasures, requestErasure } from '#src/privacy/erase-person.ts'
import { findPerson, isNothing } from '#src/privacy/find-person.ts'
import { LEADS, PERSONAL_TABLES } from '#src/privacy/personal-columns.ts'
import { addUpLeads } from '#src/submissions/results/add-up-leads.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { addTraffic } from '#src/submissions/results/traffic-store.ts'
import { createSearchIndex } from '#src/submissions/search/search-index.ts'
import { sqliteEngine, temporaryFolder } from '#tests/support/database.ts'
import { postgresEngine } from '#tests/support/postgres-engine.ts'
import { startS3 } from '#tests/support/s3-server.ts'
import { printFigure } from '#tests/support/soak.ts'
import { ERASER, fillEveryText, NOW, PERSON, storeLead, storeWorld, toPerson } from './stored-person.ts'

const { email } = PERSON
const AT = NOW.toISOString()
const REPORT = { period: '2026-11', scope: EVERY_LEAD }

const now = () => NOW

async function storeMore(db: Kysely<Schema>): Promise<void> {
  const { id } = await db
    .insertInto('admin_users')
    .values({ email: 'owner@example.com', password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('saved_filters')
    .values({ user_id: id, name: 'x', is_shared: 0, filter_json: '{}' })
    .execute()
  const preview = await db
    .insertInto('publish_previews')
    .values({
      ...{ token_sha256: 'x', made_at: AT, made_by: 'owner@example.com', expires_at: AT, release_id: 'x' },
      ...{ change_id: 0, pages_sha256: 'x', changes_json: '[]', page_count: 0 },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const answer = { preview_id: preview.id, kind: 'changes', name: 'x', answered_at: AT } as const
  await db
    .insertInto('preview_answers')
    .values({ ...answer, mail_status: 'off', mail_due_at: AT })
    .execute()
  const entry = { ...ERASER, action: 'user.invited', summary: 'Invited', subjectId: email }
  await appendAuditEntry(db, { ...entry, subjectType: 'user' }, { now: NOW })
  const visit = { day: '2026-11-20', service: '', place: '', views: 3, taps: 0 }
  await addTraffic(db, [
    { ...visit, source: `campaign:${email}`, page: `/hello/${encodeURIComponent(email)}` },
    { ...visit, source: 'campaign:[erased]', page: '/' },
  ])
}

/** Tables with the person in a row as text, whatever its columns are. */
async function listTraces(db: Kysely<Schema>, engine: string): Promise<string[]> {
  const { rows } =
    engine === 'SQLite'
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
      : await sql<{
          name: string
        }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const needles = [email, encodeURIComponent(email), 'aoife']
  const found: string[] = []
  for (const { name } of rows) {
    // The index on SQLite keeps words until it is cleaned: erase-person.test.ts searches its bytes.
    if (name === 'submission_search_data') continue
    const texts =
      engine === 'SQLite'
        ? (await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)).rows.map(
            textOfRow,
          )
        : (
            await sql<{ text: string }>`select t::text as text from ${sql.table(name)} as t`.execute(db)
          ).rows.map(({ text }) => text)
    const all = texts.join('\n').toLowerCase()
    if (needles.some((needle) => all.includes(needle.toLowerCase()))) found.push(name)
  }
  return found.sort()
}

function textOfRow(row: Record<string, unknown>): string {
  return Object.values(row)
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n')
}

for (const engine of [sqliteEngine(), postgresEngine()]) {
  after(() => engine.close())

  test(`${engine.name}: no column of any table names an erased person, and sums stay`, async (t) => {
    const db = await engine.openMigrated()
    const dataDir = temporaryFolder(t)
    await storeWorld(db, dataDir)
    await storeMore(db)
    await fillEveryText(db, `About ${email}`)
    await db.updateTable('form_submissions').set({ data_json: '{"full_name":"Bob"}' }).execute()
    // Half of the leads are in the sums, the others are pending.
    await addUpLeads(db)
    await storeLead(db, { answers: { email }, text: email, uploadsDir: dataDir })
    await storeLead(db, { answers: { full_name: 'Bob' }, text: email, uploadsDir: dataDir })
    await db
      .updateTable('form_submissions')
      .set({ page_path: `/x/${email}`, source: `site:${email}` })
      .execute()
    const searchIndex = createSearchIndex({
      db,
      log: { error: (details) => assert.fail(JSON.stringify(details)) },
    })
    await searchIndex.catchUp(10_000)

    const before = await listTraces(db, engine.name)
    const expected = [LEADS, ...PERSONAL_TABLES].map(({ table }) => table)
    for (const table of [...expected, 'lead_changes', 'lead_counts', 'traffic_counts'])
      assert.ok(before.includes(table), `${table} names the person before`)
    const { leads, views } = (await loadReport(db, REPORT)).total

    const person = toPerson({ email })
    const { elsewhere, mentions } = await findPerson(db, person)
    await requestErasure(db, person, ERASER, { now: NOW })
    const [erased] = await finishErasures(db, { files: openDiskFiles(dataDir), now })
    const rows = elsewhere.values().reduce((sum, count) => sum + count, 0)
    // The sums of pending leads come on top.
    assert.ok(
      (erased?.texts ?? 0) >= rows + mentions.length,
      'each row and sum that named the person is counted',
    )
    while (!(await searchIndex.catchUp(10_000)));
    await searchIndex.stop()
    const left = await listTraces(db, engine.name)
    printFigure(t, `${before.length} tables named the person before, ${left.length} after`)
    assert.deepEqual(left, [])
    assert.ok(isNothing(await findPerson(db, person)))
    assert.equal((await verifyAuditChain(db)).kind, 'intact')
    const report = await loadReport(db, REPORT)
    assert.deepEqual([report.total.leads, report.total.views], [leads, views], 'nothing is counted less')
    const { views: ofSource } = report.sources.find(({ subject }) => subject === 'campaign:[erased]') ?? {}
    assert.equal(ofSource, 6, 'sums with the same name are one')
  })
}

test('files of an erased person are removed from a bucket', async (t) => {
  const engine = sqliteEngine()
  t.after(() => engine.close())
  const db = await engine.openMigrated()
  const { environment, objects } = await startS3(t)
  const { dataDir, filePlace } = readConfig({ DATA_DIR: temporaryFolder(t), ...environment })
  const files = openFileStore(filePlace, { dataDir })
  await storeLead(db, { answers: { email }, text: email, uploadsDir: temporaryFolder(t) })
  await storeLead(db, { answers: { email: 'bob@mail.example' }, text: 'bob', uploadsDir: temporaryFolder(t) })
  const uploads = await db.selectFrom('uploads').select(['folder', 'file', 'name']).orderBy('id').execute()
  for (const { folder, file, name } of uploads)
    await files.write(`uploads/${folder}/${file}`, new Blob([`A photo of ${name}`]))
  const stored = () => [...objects.values()].map(({ bytes }) => bytes.toString())
  assert.equal(stored().length, 2)
  await requestErasure(db, toPerson({ email }), ERASER, { now: NOW })
  await finishErasures(db, { files, now })
  assert.deepEqual(stored(), ['A photo of bob.jpg'])
})
