import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { type Kysely, sql } from 'kysely'
import { refuseOtherRevision } from '#src/db/current-database.ts'
import { findSchemaRevision, listMigrations, migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import type { TestEngine } from '../../support/database.ts'
import { REVISIONS } from './revisions.ts'
import { columnTypes, indexesOf, insertRow, type Row, rowsOf } from './rows.ts'

const LEGACY: Row[] = [
  {
    full_name: 'Ann "Annie" O’Neil',
    email: 'ann@example.com',
    phone: '+1 512 555 0100',
    role: 'owner',
    clients_managed: '10-20',
    bottleneck: 'Two lines\nand a \\ backslash',
    submitted_at: '2024-01-02T03:04:05.000Z',
  },
  { full_name: 'Bo', email: null, phone: '', role: null, clients_managed: null, bottleneck: null },
]

/** How a database comes to the newest revision, on one engine. */
export function testMigrations(engine: TestEngine) {
  describe(`migrations on ${engine.name}`, () => {
    testWholeLadder(engine)
    testOldRows(engine)
    testLegacyColumns(engine)
    testTargets(engine)
    testRefusals(engine)
  })
}

function testWholeLadder(engine: TestEngine) {
  describe('an empty database', () => {
    let db: Kysely<Schema>
    let applied: string[]
    before(async () => {
      db = await engine.openEmpty()
      assert.equal(await findSchemaRevision(db), undefined)
      applied = await migrate(db)
    })

    test('§9.1 an empty database migrates to the newest revision in numbered steps', async () => {
      assert.deepEqual(applied, REVISIONS)
      assert.equal(await findSchemaRevision(db), REVISIONS.at(-1))
      const status = await listMigrations(db)
      assert.deepEqual(
        status.map(({ name }) => name),
        REVISIONS,
      )
      for (const { appliedAt } of status) assert.ok(appliedAt && Date.now() - appliedAt.getTime() < 60_000)
    })

    test('§9.3 migrating again changes nothing and duplicates no seed', async () => {
      const first = await contentsOf(db)
      assert.deepEqual(await migrate(db), [])
      assert.deepEqual(await contentsOf(db), first)
      assert.equal(first.forms?.rows.length, 1)
    })

    test('§9.2 migrations only go forward', async () => {
      await assert.rejects(
        migrate(db, { to: '0010' }),
        /only go forward, so it can’t go back to 0010_taxonomies/,
      )
      assert.equal(await findSchemaRevision(db), REVISIONS.at(-1))
    })

    test('§9.1 single steps give the same schema and rows as one run', async () => {
      const atOnce = await contentsOf(db)
      const again = await engine.openEmpty()
      for (const name of REVISIONS) assert.deepEqual(await migrate(again, { to: name }), [name])
      assert.deepEqual(withoutMoments(await contentsOf(again)), withoutMoments(atOnce))
    })
  })
}

// One database with rows of several versions, as each way to the newest revision takes a while.
function testOldRows(engine: TestEngine) {
  describe('a database with rows of earlier versions', () => {
    let db: Kysely<Schema>
    let old: Record<'contentType' | 'submission' | 'pending' | 'delivering' | 'delivered' | 'sent', Row>
    const until = '2026-11-21T10:00:00.000Z'
    before(async () => {
      db = await withLegacySubmissions(engine)
      const type = { slug: 'location_services', name: 'Our places' }
      const contentType = await insertRow(db, 'content_types', type)
      const [submission = {}] = await rowsOf(db, 'form_submissions')
      const deliver = (values: Row) =>
        insertRow(db, 'webhook_deliveries', { submission_id: submission.id, ...values })
      const pending = await deliver({ status: 'pending' })
      const delivering = await deliver({ status: 'delivering' })
      const delivered = await deliver({ status: 'delivered' })
      await migrate(db, { to: '0035' })
      const sent = await deliver({ request_body: '{"a":"é"}' })
      await deliver({})
      old = { contentType, submission, pending, delivering, delivered, sent }
      await migrate(db, { to: '0037' })
      const webhook = { form_id: 1, url: 'https://a.example.com' }
      const previous = { previous_signing_secret: 'sealed', previous_secret_expires_at: until }
      await insertRow(db, 'form_webhooks', { ...webhook, signing_secret: 'new', ...previous })
      await insertRow(db, 'form_webhooks', webhook)
      await migrate(db)
    })

    test('§9.3 a content type that existed before its revision is kept', async () => {
      assert.deepEqual(await rowsOf(db, 'content_types', { slug: 'location_services' }), [old.contentType])
    })

    test('§2.4 legacy submissions become answers of form 1 with exactly six keys', async () => {
      const rows = await rowsOf(db, 'form_submissions')
      assert.deepEqual(
        rows.map((row) => [row.form_id, JSON.parse(String(row.data_json))]),
        LEGACY.map(({ submitted_at: _, ...answers }) => [1, answers]),
      )
    })

    test('§2.4 legacy deliveries stay, with no form and no webhook', async () => {
      const rows = await rowsOf(db, 'webhook_deliveries', { id: old.delivered.id })
      assert.deepEqual(
        rows.map((row) => [row.submission_id, row.status, row.form_id, row.webhook_id]),
        [[old.submission.id, 'delivered', null, null]],
      )
    })

    test('§6.3 pending and in-flight deliveries from before the outbox are due since their creation', async () => {
      const [delivered] = await rowsOf(db, 'webhook_deliveries', { id: old.delivered.id })
      for (const { id } of [old.pending, old.delivering]) {
        const [waiting] = await rowsOf(db, 'webhook_deliveries', { id })
        assert.ok(waiting?.created_at)
        assert.equal(waiting.next_attempt_at, waiting.created_at)
      }
      assert.equal(delivered?.next_attempt_at, null)
    })

    test('contract §6: sent bodies survive the move to their own table', async () => {
      const body = { delivery_id: old.sent.id, body: '{"a":"é"}' }
      assert.deepEqual(await rowsOf(db, 'delivery_bodies'), [body])
    })

    test('contract §6: a secret replaced in an earlier version signs until it expires', async () => {
      const rows = await rowsOf(db, 'form_webhooks')
      assert.deepEqual(
        rows.map((row) => row.previous_secrets_json),
        [JSON.stringify([{ sealed: 'sealed', until }]), null],
      )
    })

    test('§2.4 reapplying the newest revision leaves existing answers alone', async () => {
      await sql`update form_submissions set data_json = '{"full_name":"corrected"}'`.execute(db)
      await migrate(db)
      const rows = await rowsOf(db, 'form_submissions')
      assert.equal(rows.length, LEGACY.length)
      for (const row of rows) assert.equal(row.data_json, '{"full_name":"corrected"}')
    })
  })
}

function testLegacyColumns(engine: TestEngine) {
  test('§9.2 revision 0011 keeps the legacy columns readable', async () => {
    const db = await withLegacySubmissions(engine)
    const before = await rowsOf(db, 'form_submissions')
    await migrate(db, { to: '0011' })
    const after = await rowsOf(db, 'form_submissions')
    assert.deepEqual(
      after.map(({ form_id: _, data_json: __, ...legacy }) => legacy),
      before,
    )
    assert.equal(before[0]?.submitted_at, LEGACY[0]?.submitted_at)
  })

  test('§9.2 revision 0011 drops no column', async () => {
    const db = await engine.openEmpty()
    await migrate(db, { to: '0010' })
    const before = await contentsOf(db)
    await migrate(db, { to: '0011' })
    const after = await contentsOf(db)
    for (const [table, { types }] of Object.entries(before)) {
      assert.deepEqual({ ...after[table]?.types, ...types }, after[table]?.types, table)
    }
  })
}

function testTargets(engine: TestEngine) {
  test('contract §1 --to stops after that revision, and a later run applies the rest', async () => {
    const db = await engine.openEmpty()
    assert.deepEqual(await migrate(db, { to: '0010' }), ['0001_baseline', '0010_taxonomies'])
    assert.equal(await findSchemaRevision(db), '0010_taxonomies')
    assert.equal((await columnTypes(db)).forms, undefined)
    assert.deepEqual(await migrate(db, { to: '0010_taxonomies' }), [])
    assert.deepEqual(await migrate(db), REVISIONS.slice(2))
  })

  test('contract §1 an unknown revision is refused and nothing is applied', async () => {
    const db = await engine.openEmpty()
    await assert.rejects(
      migrate(db, { to: '0002' }),
      /no migration 0002; expected one of 0001_baseline, 0010_taxonomies/,
    )
    assert.equal(await findSchemaRevision(db), undefined)
  })
}

function testRefusals(engine: TestEngine) {
  test('a newer database is refused with a one-sentence error and left unchanged', async () => {
    const db = await engine.openEmpty()
    await migrate(db, { to: '0011' })
    await insertRow(db, 'kysely_migration', { name: '9999_future', timestamp: new Date().toISOString() })
    const before = await contentsOf(db)
    await assert.rejects(migrate(db), (error: Error) => {
      assert.match(
        error.message,
        /^The database is newer than this version of Signpost \(it has the migrations 9999_future\): [^.\n]+$/,
      )
      return true
    })
    assert.deepEqual(await contentsOf(db), before)
  })

  test('a program accepts a database that newer migrations extended, and refuses one they contracted', async () => {
    const db = await engine.openMigrated()
    const newer = { name: '9998_newer', timestamp: new Date().toISOString() }
    await insertRow(db, 'kysely_migration', newer)
    await assert.rejects(
      migrate(db),
      /newer than this version of Signpost/,
      'nobody has said what 9998_newer does',
    )
    await db.updateTable('schema_support').set({ latest: newer.name }).execute()
    assert.deepEqual(await migrate(db), [])
    await refuseOtherRevision(db, 'this command')
    await db.updateTable('schema_support').set({ revision: newer.name, version: '7.0.0' }).execute()
    await assert.rejects(
      migrate(db),
      /^Error: The database needs Signpost 7.0.0 or newer \(since 9998_newer\): /,
    )
  })

  test('each new migration declares whether it contracts, and one that drops something must', async () => {
    for (const name of REVISIONS.filter((revision) => revision >= '0330')) {
      const path = new URL(`../../../migrations/${name}.ts`, import.meta.url)
      const { contracts } = await import(path.href)
      assert.equal(typeof contracts, 'boolean', `${name} exports contracts`)
      const takes =
        /\bdrop (?:column|table|constraint)\b|\brename\b|\bset not null\b|\balter column\b|\.(?:dropColumn|dropTable|renameColumn)\(/i
      assert.ok(
        contracts || !takes.test(withoutRebuilds(readFileSync(path, 'utf8'))),
        `${name} takes something away`,
      )
    }
  })

  test('a failed migration rolls back itself and all others of the run', async () => {
    const db = await withLegacySubmissions(engine)
    // 0011 makes the forms first and stumbles over this table afterwards.
    await sql`create table form_webhooks (in_the_way integer)`.execute(db)
    const before = await contentsOf(db)
    await assert.rejects(
      migrate(db),
      /^Error: Migration 0011_forms failed and changed nothing: .*form_webhooks/,
    )
    assert.deepEqual(await contentsOf(db), before)
    assert.equal(await findSchemaRevision(db), '0001_baseline')
    await sql`drop table form_webhooks`.execute(db)
    assert.deepEqual(await migrate(db), REVISIONS.slice(1))
  })
}

// A table or check that is made anew under its name isn't taken away: this is how a check gets more values.
function withoutRebuilds(source: string): string {
  return source
    .replace(/drop table (\w+)(.*?)alter table new_\1 rename to \1\b/s, '$2')
    .replace(/drop constraint (\w+)(.*?add constraint \1\b)/s, '$2')
}

async function withLegacySubmissions(engine: TestEngine) {
  const db = await engine.openEmpty()
  await migrate(db, { to: '0001' })
  for (const row of LEGACY) await insertRow(db, 'form_submissions', row)
  return db
}

interface TableContents {
  types: Record<string, string>
  indexes: string[]
  rows: Row[]
}

// Everything that a migration can change.
async function contentsOf(db: Kysely<Schema>): Promise<Record<string, TableContents>> {
  const contents: Record<string, TableContents> = {}
  for (const [table, types] of Object.entries(await columnTypes(db))) {
    const indexes = (await indexesOf(db, table)).sort()
    contents[table] = { types, indexes, rows: await rowsOf(db, table) }
  }
  return contents
}

function withoutMoments({ kysely_migration: _, ...tables }: Record<string, TableContents>) {
  return JSON.stringify(tables, (key, value) => (/_at$|^transaction_id$/.test(key) ? 'its own' : value))
}
