import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hasNoDatabase, refuseOtherRevision, refuseWithoutDatabase } from '#src/db/current-database.ts'
import { openEmptySqlite, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { insertRow } from './rows.ts'

test('a database is missing only if it is a file that is not there', (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'there.db'), '')
  for (const [url, isMissing] of [
    [`file:${join(folder, 'there.db')}`, false],
    [`file:${join(folder, 'missing.db')}`, true],
    [`file:${join(folder, 'missing', 'signpost.db')}`, true],
    ['postgres://ann@db.example/site', false],
  ] as const) {
    assert.equal(hasNoDatabase(url), isMissing, url)
    if (isMissing) assert.throws(() => refuseWithoutDatabase(url), /^Error: There is no database yet/)
    else refuseWithoutDatabase(url)
  }
})

test('a command refuses a database with pending or unknown migrations, and names itself', async (t) => {
  const db = await openTestDatabase(t)
  await refuseOtherRevision(db, 'npm run export')
  await db
    .withTables<{ kysely_migration: { name: string } }>()
    .deleteFrom('kysely_migration')
    .where('name', '=', '0010_taxonomies')
    .execute()
  await assert.rejects(refuseOtherRevision(db, 'npm run export'), /npm run export/)
  await assert.rejects(refuseOtherRevision(openEmptySqlite(t), 'npm run export'), /npm run export/)
  await insertRow(db, 'kysely_migration', { name: '9999_future', timestamp: '2026-11-20T10:00:00.000Z' })
  await assert.rejects(refuseOtherRevision(db, 'npm run export'), /newer than this version of Signpost/)
})
