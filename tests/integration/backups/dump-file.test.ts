import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import {
  type BackupFile,
  createDumpTable,
  findLabel,
  holdsDump,
  listRevisions,
  openBackup,
  openToRead,
  streamDump,
  writeRevisions,
} from '#src/backups/backup-file-store.ts'
import { digestContents } from '#src/backups/digest-store.ts'
import { completeCopy, makePostgresBackup } from '#src/backups/make-postgres-backup.ts'
import { restoreChecked, restorePostgresBackup } from '#src/backups/restore-postgres-backup.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { sha256Hex } from '#src/lib/canonical-json.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { atEnd } from '#tests/support/at-end.ts'
import { temporaryFolder } from '#tests/support/database.ts'
import { freePort } from '#tests/support/running-site.ts'

const MADE_AT = '2026-11-21T10:00:00.000Z'
const FOLDER = 'a'.repeat(32)
const KEY = Buffer.alloc(32, 'a key of this site')
const OTHER_KEY = Buffer.alloc(32, 'another key')
const PICTURE = Buffer.from('a picture of the library')
const PARTS = ['the dump ', 'in two parts'].map((text) => Buffer.from(text))

/** A server whose database can't be reached. */
async function aServer(dataDir: string, secretKey = KEY) {
  const databaseUrl = `postgres://jo@127.0.0.1:${await freePort()}/site`
  const places = { files: openDiskFiles(dataDir), pictureFiles: openPictureFiles(dataDir) }
  return { databaseUrl, dataDir, secretKey, ...places }
}

/** A PostgreSQL backup, and another server. */
async function aDump(t: TestContext, change: (copy: BackupFile) => unknown = () => undefined) {
  const source = await aServer(temporaryFolder(t))
  await source.files.write(`uploads/${FOLDER}/1`, new Blob(['of a visitor']))
  await source.pictureFiles.write(sha256Hex(PICTURE), PICTURE)
  const dataDir = temporaryFolder(t)
  const file = join(dataDir, 'copy.db')
  writeFileSync(file, '')
  const copy = openBackup(file)
  const dump = createDumpTable(copy)
  for (const part of PARTS) dump.add(part)
  dump.close()
  const revisions = ['0010_taxonomies', '0001_baseline'].map((name) => ({ name, timestamp: MADE_AT }))
  writeRevisions(copy, revisions)
  const rows = { folders: [FOLDER], pictures: [sha256Hex(PICTURE)] }
  assert.equal(await completeCopy(copy, { rows, source, now: new Date(MADE_AT) }), 1)
  change(copy)
  copy.close()
  return { dataDir, target: await aServer(join(dataDir, 'target')), file }
}

test('a backup of a database that can’t be reached leaves nothing behind, and replaces no file', async (t) => {
  const dataDir = temporaryFolder(t)
  const source = await aServer(dataDir)
  const make = () =>
    makePostgresBackup(source, { file: join(dataDir, 'backups/one.db'), now: new Date(MADE_AT) })
  await assert.rejects(make(), { code: 'ECONNREFUSED' })
  assert.deepEqual(readdirSync(join(dataDir, 'backups')), [])
  writeFileSync(join(dataDir, 'backups/one.db'), 'there')
  await assert.rejects(make(), /one\.db already exists\. Choose another name$/)
  assert.equal(readFileSync(join(dataDir, 'backups/one.db'), 'utf8'), 'there')
})

test('a damaged copy gets no label', async () => {
  const copy = new SqliteDatabase(':memory:')
  copy.exec(`pragma foreign_keys = off; create table forms (id integer primary key);
    create table leads (form integer references forms (id)); insert into leads values (1)`)
  const source = await aServer('unused')
  const completed = completeCopy(copy, {
    rows: { folders: [], pictures: [] },
    source,
    now: new Date(MADE_AT),
  })
  await assert.rejects(
    completed,
    /^Error: The copy is damaged: a row in leads refers to a missing row in forms\./,
  )
  assert.equal(findLabel(copy), undefined)
})

test('a backup keeps the dump in parts and the revisions by name', async (t) => {
  const { file } = await aDump(t)
  const copy = openToRead(file)
  t.after(() => copy.close())
  assert.equal(holdsDump(copy), true)
  assert.deepEqual([...streamDump(copy)], PARTS)
  assert.deepEqual(listRevisions(copy), ['0001_baseline', '0010_taxonomies'])
  assert.throws(() => copy.exec('delete from backup_dump'), /readonly/)
})

const REFUSED: readonly [
  what: string,
  expected: RegExp,
  change: (copy: BackupFile) => unknown,
  key?: Buffer,
][] = [
  [
    'with a changed dump',
    /the checksum differs/,
    (copy) => copy.exec("update backup_dump set bytes = x'00'"),
  ],
  ['with a part less', /the checksum differs/, (copy) => copy.exec('delete from backup_dump where part = 2')],
  [
    'with a changed dump and its checksum',
    /the seal is invalid/,
    (copy) => {
      copy.exec("update backup_dump set bytes = x'00'")
      copy.prepare('update backup_label set digest = ?').run(digestContents(copy))
    },
  ],
  ['of another server', /was sealed with another SECRET_KEY/, () => undefined, OTHER_KEY],
  ['for SQLite', /is a backup of an SQLite database/, (copy) => copy.exec('drop table backup_dump')],
  ['without a label', /is not a Signpost backup/, (copy) => copy.exec('drop table backup_label')],
  [
    'from a newer version',
    /newer version/,
    (copy) => copy.exec("insert into kysely_migration values ('9999', '')"),
  ],
]

for (const [what, expected, change, secretKey = KEY] of REFUSED) {
  test(`restore refuses a PostgreSQL backup ${what} before it connects`, async (t) => {
    const { dataDir, target, file } = await aDump(t, change)
    await assert.rejects(restorePostgresBackup({ ...target, secretKey }, { file }), expected)
    assert.deepEqual(readdirSync(dataDir), ['copy.db'])
  })
}

test('restore refuses a missing, empty, or damaged PostgreSQL backup before it connects', async (t) => {
  const { target, file } = await aDump(t)
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, -4096))
  await assert.rejects(restorePostgresBackup(target, { file }), /copy\.db is damaged/)
  writeFileSync(file, 'text'.repeat(300))
  await assert.rejects(restorePostgresBackup(target, { file }), /copy\.db is damaged: file is not a database/)
  writeFileSync(file, '')
  await assert.rejects(restorePostgresBackup(target, { file }), /is not a Signpost backup/)
  rmSync(file)
  await assert.rejects(restorePostgresBackup(target, { file }), /does not exist$/)
})

test('a server that can’t be reached gets neither files nor rows, with a former key too', async (t) => {
  const { dataDir, target, file } = await aDump(t)
  const server = { ...target, secretKey: OTHER_KEY }
  await assert.rejects(restorePostgresBackup(server, { file, formerKeys: [KEY] }), { code: 'ECONNREFUSED' })
  assert.deepEqual(readdirSync(dataDir), ['copy.db'])
})

test('files and pictures are restored before the dump, and none with unknown names', async (t) => {
  const { dataDir, target, file } = await aDump(t)
  const programs = temporaryFolder(t)
  const restored = join(programs, 'restored')
  const script = `#!/bin/sh\ncat > '${restored}'\nls '${join(dataDir, 'target')}' >> '${restored}'\n`
  writeFileSync(join(programs, 'pg_restore'), script, { mode: 0o700 })
  const before = process.env.PATH
  atEnd(t, () => {
    process.env.PATH = before
  })
  process.env.PATH = [programs, before].join(delimiter)
  const copy = new SqliteDatabase(file)
  t.after(() => copy.close())
  await restoreChecked(copy, target)
  assert.equal(readFileSync(restored, 'utf8'), 'the dump in two partspictures\nuploads\n')
  assert.equal(readFileSync(join(dataDir, 'target/uploads', FOLDER, '1'), 'utf8'), 'of a visitor')
  assert.deepEqual(await target.pictureFiles.read(sha256Hex(PICTURE)), PICTURE)

  rmSync(restored)
  copy.exec("update backup_uploads set folder = '..' where file = '1'")
  await assert.rejects(restoreChecked(copy, target), /an upload with an unknown name: \.\.\/1$/)
  assert.throws(() => readFileSync(restored), { code: 'ENOENT' })
})
