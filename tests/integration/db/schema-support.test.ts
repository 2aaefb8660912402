import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import packageFile from '#package.json' with { type: 'json' }
import { findSchemaRevision, migrate, refuseNewerDatabase } from '#src/db/migrate.ts'
import { buildIndex } from '#src/db/postgres/build-index.ts'
import type { Schema } from '#src/db/schema.ts'
import { findSchemaSupport, saveSchemaSupport } from '#src/db/schema-support-store.ts'
import { sqliteEngine } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'
import { REVISIONS } from './revisions.ts'
import { indexesOf, insertRow } from './rows.ts'

const NEWEST = REVISIONS.at(-1) ?? ''
const timestamp = '2026-11-20T10:00:00.000Z'

const postgres = postgresEngine()
for (const engine of [sqliteEngine(), postgres]) {
  after(() => engine.close())

  test(`${engine.name}: a start records the newest migration where the last one ended before`, async () => {
    const db = await engine.openMigrated()
    assert.equal(await findSchemaRevision(db), NEWEST)
    const support = await findSchemaSupport(db)
    assert.equal(support?.latest, NEWEST)
    await db.updateTable('schema_support').set({ latest: '0333_schema_support' }).execute()
    assert.deepEqual(await migrate(db), [])
    // No migration since then takes something away.
    assert.deepEqual(await findSchemaSupport(db), support)
  })

  test(`${engine.name}: a contracting migration is recorded with this version, and stays recorded`, async () => {
    const db = await engine.openMigrated()
    await saveSchemaSupport(db, { latest: '0400_b', contracting: '0399_a' })
    const needed = { revision: '0399_a', version: packageFile.version }
    assert.deepEqual(await findSchemaSupport(db), { ...needed, latest: '0400_b' })
    await saveSchemaSupport(db, { latest: '0401_c', contracting: undefined })
    assert.deepEqual(await findSchemaSupport(db), { ...needed, latest: '0401_c' })
  })

  test(`${engine.name}: a newer database is used only if it has all migrations of this program`, async () => {
    const db = await engine.openMigrated()
    assert.equal(await refuseNewerDatabase(db), false)
    await insertRow(db, 'kysely_migration', { name: '9998_newer', timestamp })
    await db.updateTable('schema_support').set({ latest: '9998_newer' }).execute()
    assert.equal(await refuseNewerDatabase(db), true)
    assert.deepEqual(await migrate(db), [])
    await forget(db, NEWEST)
    await assert.rejects(refuseNewerDatabase(db), /it has the migrations 9998_newer\)/)
    await insertRow(db, 'kysely_migration', { name: '9999_newest', timestamp })
    await assert.rejects(refuseNewerDatabase(db), /it has the migrations 9998_newer, 9999_newest\)/)
    await forget(db, '9998_newer')
    await forget(db, '9999_newest')
    await insertRow(db, 'kysely_migration', { name: NEWEST, timestamp })
    assert.equal(await refuseNewerDatabase(db), false)
  })
}

test(`${postgres.name}: a large index is built once, and again if it is unfinished`, async () => {
  const db = await postgres.openMigrated()
  const index = { name: 'of_expiry', on: 'spent_challenges (expires_at, challenge)' }
  const columns = async () => (await indexesOf(db, 'spent_challenges')).includes('expires_at,challenge')
  const oid = async () => {
    const { rows } = await sql<{ oid: number; is_valid: boolean }>`
      select indexrelid::int as oid, indisvalid as is_valid from pg_index
      where indexrelid = to_regclass('of_expiry')`.execute(db)
    return rows[0]
  }
  try {
    await buildIndex(db, index)
    assert.ok(await columns())
    const first = await oid()
    await buildIndex(db, index)
    assert.deepEqual(await oid(), first)
    await sql`update pg_index set indisvalid = false where indexrelid = ${first?.oid}`.execute(db)
    await buildIndex(db, index)
    const rebuilt = await oid()
    assert.equal(rebuilt?.is_valid, true)
    assert.notEqual(rebuilt?.oid, first?.oid)
  } finally {
    await sql`drop index if exists of_expiry`.execute(db)
  }
})

async function forget(db: Kysely<Schema>, name: string) {
  await sql`delete from kysely_migration where name = ${name}`.execute(db)
}
