import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { findDamage, isStandby } from '#src/db/check-integrity.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { findDatabaseBytes } from '#src/db/database-size-store.ts'
import { sqliteEngine, temporaryFolder } from '../../support/database.ts'
import { postgresEngine } from '../../support/postgres-engine.ts'

test('an overwritten page of a SQLite file is found', async (t) => {
  const path = join(temporaryFolder(t), 'signpost.db')
  const written = connectSqlite(path)
  await sql`create table words as select randomblob(3000) as word from json_each('[1,2,3,4,5,6]')`.execute(
    written,
  )
  await written.destroy()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xff, bytes.length - 4_096))
  const db = connectSqlite(path)
  t.after(() => db.destroy())
  assert.match((await findDamage(db)) ?? '', /page/i)
})

const postgres = postgresEngine()
for (const engine of [sqliteEngine(), postgres]) {
  after(() => engine.close())

  test(`${engine.name}: a database is sound and takes writes`, async () => {
    const db = await engine.openMigrated()
    assert.equal(await findDamage(db), undefined)
    assert.equal(await isStandby(db), false)
  })
}

test(`${postgres.name}: a connection that may only read is one to a standby`, async () => {
  const db = await postgres.openMigrated()
  await db.transaction().execute(async (trx) => {
    await sql`set transaction read only`.execute(trx)
    assert.equal(await isStandby(trx), true)
  })
})

test(`${postgres.name}: the size of a database is known`, async () => {
  const bytes = await findDatabaseBytes(await postgres.openMigrated())
  assert.ok(bytes > 1_000_000, `${bytes} bytes`)
})
