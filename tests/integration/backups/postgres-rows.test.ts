import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countRelations, findServerVersion, readBackedUpRows } from '#src/backups/backed-up-rows-store.ts'
import { findClientProblem } from '#src/backups/postgres-programs.ts'
import { refuseUnfit } from '#src/backups/restore-postgres-backup.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { temporaryFolder } from '#tests/support/database.ts'
import { postgresEngine } from '#tests/support/postgres-engine.ts'

const NOW = '2026-11-21T10:00:00.000Z'
const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map((letter) => letter.repeat(64))
const engine = postgresEngine()
after(() => engine.close())

test('the rows of a backup name the revisions, and each folder and picture once', async () => {
  const db = await engine.openEmpty()
  for (const statement of [
    'create table kysely_migration (name text, timestamp text)',
    `insert into kysely_migration values ('0010_taxonomies', '${NOW}'), ('0001_baseline', '')`,
    'create table uploads (folder text)',
    "insert into uploads values ('two'), ('one'), ('two')",
    ...['library_pictures', 'picture_versions', 'trashed_picture_files'].map(
      (table) => `create table ${table} (sha256 text)`,
    ),
    `insert into library_pictures values ('${THIRD}'), ('${FIRST}')`,
    `insert into picture_versions values ('${FIRST}')`,
    `insert into trashed_picture_files values ('${SECOND}')`,
  ])
    await sql.raw(statement).execute(db)
  assert.deepEqual(await readBackedUpRows(db), {
    revisions: [
      { name: '0001_baseline', timestamp: '' },
      { name: '0010_taxonomies', timestamp: NOW },
    ],
    folders: ['one', 'two'],
    pictures: [FIRST, SECOND, THIRD],
  })
})

test('a database that is not Signpost’s has no rows, and is empty until it has a table, view, or sequence', async () => {
  const db = await engine.openEmpty()
  assert.deepEqual(await readBackedUpRows(db), { revisions: undefined, folders: [], pictures: [] })
  assert.equal(await countRelations(db), 0)
  for (const [count, statement] of [
    'create table one (id integer primary key)',
    'create view two as select 1',
    'create materialized view three as select 1',
    'create sequence four',
    'create table five (id integer) partition by range (id)',
  ].entries()) {
    await sql.raw(statement).execute(db)
    assert.equal(await countRelations(db), count + 1, statement)
  }
})

test('a program must be as new as the server', async (t) => {
  const db = await engine.openEmpty()
  const needed = await findServerVersion(db)
  assert.ok(needed >= 14 && needed < 100, String(needed))
  const folder = temporaryFolder(t)
  const before = process.env.PATH
  atEnd(t, () => {
    process.env.PATH = before
  })
  process.env.PATH = folder
  const problem = async () => (await findClientProblem(db, 'pg_dump'))?.message
  assert.equal(
    await problem(),
    `pg_dump is not installed. Install the package postgresql-client-${needed}, or a newer one`,
  )
  for (const [found, expected] of [
    [needed + 1, undefined],
    [needed, undefined],
    [needed - 1, new RegExp(`^pg_dump is from PostgreSQL ${needed - 1}, but the server runs ${needed}\\.`)],
  ] as const) {
    const says = `pg_dump (PostgreSQL) ${found}.4 (Debian ${found + 40}.pgdg)`
    writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\n[ "$*" = --version ] && echo '${says}'\n`, {
      mode: 0o700,
    })
    if (expected) assert.match((await problem()) ?? '', expected)
    else assert.equal(await problem(), undefined)
  }
  writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\necho unknown\n')
  assert.match((await problem()) ?? '', /^pg_dump is from PostgreSQL 0,/)
  writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\nexit 1\n')
  await assert.rejects(problem(), /Command failed: pg_dump --version/)
})

test('only an empty database is restored into, with a program that is as new as the server', async (t) => {
  const db = await engine.openEmpty()
  const folder = temporaryFolder(t)
  const before = process.env.PATH
  atEnd(t, () => {
    process.env.PATH = before
  })
  process.env.PATH = folder
  const refused = () => refuseUnfit(db, 'postgres://jo:secret@db.example:5433/site')
  await assert.rejects(refused(), /^Error: pg_restore is not installed\./)
  const says = `pg_restore (PostgreSQL) ${await findServerVersion(db)}.4`
  writeFileSync(join(folder, 'pg_restore'), `#!/bin/sh\necho '${says}'\n`, { mode: 0o700 })
  await refused()
  await sql`create table one (id integer)`.execute(db)
  await assert.rejects(refused(), /^Error: db\.example:5433\/site is not empty: it has 1 table /)
})
