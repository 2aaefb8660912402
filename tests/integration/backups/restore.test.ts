import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { type BackupFile, openBackup } from '#src/backups/backup-file-store.ts'
import { sealLabel } from '#src/backups/backup-seal.ts'
import { digestContents, digestRows, digestWithoutCounters } from '#src/backups/digest-store.ts'
import { makeBackup } from '#src/backups/make-backup.ts'
import { type RestoreOptions, restoreBackup } from '#src/backups/restore-backup.ts'
import { tryFileLock } from '#src/db/file-lock.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { sha256Hex } from '#src/lib/canonical-json.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { copyMigrated, temporaryFolder } from '#tests/support/database.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const KEPT = 'before-restore-20261121T100000000Z.db'
const FOLDER = 'a'.repeat(32)
const OTHER_FOLDER = 'b'.repeat(32)
const KEY = Buffer.alloc(32, 'a key of this server')
const OTHER_KEY = Buffer.alloc(32, 'another key')
const PICTURES = ['in the library', 'an earlier version', 'in the trash'].map((text) => Buffer.from(text))

/** A database with what a backup looks at, and a backup of it. Full databases take longer: see `backup.test.ts`. */
async function aSite(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const source = {
    databasePath: join(dataDir, 'signpost.db'),
    files: openDiskFiles(dataDir),
    pictureFiles: openPictureFiles(dataDir),
    secretKey: KEY,
  }
  const database = new SqliteDatabase(source.databasePath)
  database.pragma('journal_mode = wal')
  database.exec(`create table kysely_migration (name text primary key, timestamp text not null) strict;
    insert into kysely_migration values ('0001_baseline', '');
    create table leads (id integer primary key autoincrement, name text) strict;
    insert into leads (name) values ('Ann');
    create table uploads (folder text not null) strict;
    insert into uploads values ('${FOLDER}'), ('${FOLDER}'), ('${OTHER_FOLDER}')`)
  for (const [at, table] of ['library_pictures', 'picture_versions', 'trashed_picture_files'].entries()) {
    const bytes = PICTURES[at] as Buffer
    database.exec(`create table ${table} (sha256 text not null) strict`)
    database.prepare(`insert into ${table} values (?)`).run(sha256Hex(bytes))
    await source.pictureFiles.write(sha256Hex(bytes), bytes)
  }
  database.close()
  for (const file of ['1', '2'])
    await source.files.write(`uploads/${FOLDER}/${file}`, new Blob([`file ${file}`]))
  const file = join(dataDir, 'copy.db')
  const report = await makeBackup(source, { file, now: NOW })
  rename(source.databasePath, 'Ben')
  const keepDir = join(dataDir, 'kept')
  const restore = (options: Partial<RestoreOptions> = {}, target = source) =>
    restoreBackup(target, { file, keepDir, now: NOW, ...options })
  return { dataDir, source, file, report, keepDir, restore }
}

function rename(databasePath: string, name: string) {
  const database = new SqliteDatabase(databasePath)
  database.prepare('update leads set name = ?').run(name)
  database.close()
}

function nameIn(databasePath: string): unknown {
  return read(databasePath, 'select name from leads').name
}

test('visitors’ files and pictures of the library, its versions, and the trash come back with the rows', async (t) => {
  const { dataDir, source, file, report, keepDir, restore } = await aSite(t)
  assert.deepEqual(report, { file, uploads: 2 })
  for (const folder of ['uploads', 'pictures']) rmSync(join(dataDir, folder), { recursive: true })
  chmodSync(file, 0o644)
  assert.deepEqual(await restore(), { madeAt: NOW.toISOString(), keptAt: join(keepDir, KEPT) })
  assert.equal(nameIn(source.databasePath), 'Ann')
  assert.equal(statSync(source.databasePath).mode & 0o777, 0o600)
  for (const name of ['1', '2'])
    assert.equal(readFileSync(join(dataDir, 'uploads', FOLDER, name), 'utf8'), `file ${name}`)
  for (const bytes of PICTURES) assert.deepEqual(await source.pictureFiles.read(sha256Hex(bytes)), bytes)
  const database = new SqliteDatabase(source.databasePath)
  t.after(() => database.close())
  const tables = database.prepare("select name from sqlite_master where name like 'backup%'").all()
  assert.deepEqual(tables, [])
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.includes('restoring')),
    [],
  )
})

test('a picture that is only in the database is left out', async (t) => {
  const { dataDir, source, restore } = await aSite(t)
  run(source.databasePath, `insert into library_pictures values ('${'c'.repeat(64)}')`)
  const file = join(dataDir, 'second.db')
  await makeBackup(source, { file, now: NOW })
  await restore({ file })
  assert.equal((await readdir(join(dataDir, 'pictures'))).length, PICTURES.length)
})

test('the replaced database is kept as a backup that restores too', async (t) => {
  const { source, keepDir, restore } = await aSite(t)
  await restore()
  await restore({ file: join(keepDir, KEPT), keepDir: join(keepDir, 'second') })
  assert.equal(nameIn(source.databasePath), 'Ben')
})

test('a restore into a new data folder keeps nothing', async (t) => {
  const { dataDir, source, keepDir, restore } = await aSite(t)
  const databasePath = join(dataDir, 'new/folder/signpost.db')
  assert.equal((await restore({}, { ...source, databasePath })).keptAt, undefined)
  assert.deepEqual([nameIn(databasePath), existsSync(keepDir)], ['Ann', false])
})

type Site = Awaited<ReturnType<typeof aSite>>

const UNSEAL = 'alter table backup_label drop column key_id; alter table backup_label drop column mac'
type Refused = readonly [
  what: string,
  expected: RegExp,
  prepare: (site: Site) => unknown,
  options?: Partial<RestoreOptions>,
]
const REFUSED: readonly Refused[] = [
  ['a missing file', /copy\.db does not exist$/, ({ file }) => rmSync(file)],
  [
    'a folder',
    /is not a file\. Choose/,
    ({ file }) => {
      rmSync(file)
      mkdirSync(file)
    },
  ],
  ['an empty file', /is not a Signpost backup/, ({ file }) => writeFileSync(file, '')],
  [
    'a text',
    /copy\.db is damaged: file is not a database/,
    ({ file }) => writeFileSync(file, 'text'.repeat(300)),
  ],
  [
    'a file that ends early',
    /copy\.db is damaged/,
    ({ file }) => writeFileSync(file, readFileSync(file).subarray(0, -4096)),
  ],
  [
    'a row without the one it belongs to',
    /is damaged: a row in orphans refers to a missing row in leads/,
    ({ file }) =>
      changeSealed(
        file,
        'pragma foreign_keys = off; create table orphans (id integer references leads (id)); insert into orphans values (9)',
      ),
  ],
  ['a label without a row', /is not a Signpost backup/, ({ file }) => run(file, 'delete from backup_label')],
  ['a copy without a label', /is not a Signpost backup/, ({ file }) => run(file, 'drop table backup_label')],
  [
    'a database without revisions',
    /is not a Signpost backup/,
    ({ file }) => changeSealed(file, 'drop table kysely_migration'),
  ],
  [
    'a newer version',
    /made by a newer version \(with the migrations 9998_soon, 9999_later\)/,
    ({ file }) =>
      changeSealed(file, "insert into kysely_migration values ('9998_soon', ''), ('9999_later', '')"),
  ],
  [
    'a PostgreSQL backup',
    /is a backup of a PostgreSQL database/,
    ({ file }) => changeSealed(file, 'create table backup_dump (part integer)'),
  ],
  [
    'two views',
    /did not create: the view "every_lead", the view "leads_too"\./,
    ({ file }) =>
      changeSealed(file, 'create view leads_too as select 1; create view every_lead as select * from leads'),
  ],
  [
    'a trigger of a later version',
    /did not create: the trigger "\w+"\./,
    async ({ dataDir, file }) => {
      const later = join(dataDir, 'later.db')
      await copyMigrated(later)
      const trigger = read(later, "select tbl_name, sql from sqlite_master where type = 'trigger'")
      rmSync(later)
      changeSealed(
        file,
        `create table ${trigger.tbl_name} (id integer, name text, slug text); ${trigger.sql}`,
      )
    },
  ],
  [
    'a changed row',
    /the checksum differs/,
    ({ file }) => run(file, "update leads set name = 'Eve'"),
    { anyKey: true },
  ],
  [
    'a changed row with its checksum',
    /the seal is invalid/,
    ({ file }) => changeWithoutKey(file, "update leads set name = 'Eve'"),
    { anyKey: true },
  ],
  ['another server’s backup', /was sealed with another SECRET_KEY/, sealWithOtherKey],
  [
    'a backup sealed with none of the former keys',
    /was sealed with another SECRET_KEY/,
    sealWithOtherKey,
    { formerKeys: [Buffer.alloc(32, 'a third key')] },
  ],
  ['a backup without a seal', /has no seal/, unseal],
  [
    'a changed backup without a seal',
    /the checksum differs/,
    ({ file }) => run(file, UNSEAL),
    { anyKey: true },
  ],
  [
    'a backup that lost its seal',
    /is missing its seal/,
    (site) => {
      run(site.file, "insert into kysely_migration values ('0051_audit_chain', '')")
      unseal(site)
    },
    { anyKey: true },
  ],
  ...(
    [
      ['..', '1'],
      [`${FOLDER}/..`, '1'],
      [`${FOLDER}0`, '1'],
      [FOLDER.slice(1), '1'],
      ['A'.repeat(32), '1'],
      [FOLDER, '../1'],
      [FOLDER, '1.html'],
      [FOLDER, 'x1'],
      [FOLDER, '1000'],
      ['pictures', '1'],
      ['pictures', 'c'.repeat(64)],
      ['picture', sha256Hex(Buffer.from('file 1'))],
    ] as const
  ).map(
    ([folder, name]) =>
      [
        `a file named ${folder}/${name}`,
        new RegExp(`an upload with an unknown name: ${RegExp.escape(`${folder}/${name}`)}$`),
        ({ file }: Site) =>
          changeSealed(
            file,
            `delete from backup_uploads where file <> '1'; update backup_uploads set folder = '${folder}', file = '${name}'`,
          ),
      ] as const,
  ),
]

for (const [what, expected, prepare, options] of REFUSED) {
  test(`restore refuses ${what} and changes nothing`, async (t) => {
    const site = await aSite(t)
    const { dataDir, source, restore } = site
    await prepare(site)
    await source.files.write(`uploads/${FOLDER}/1`, new Blob(['of today']))
    const before = (await readdir(dataDir, { recursive: true })).sort()
    await assert.rejects(restore(options), expected)
    const after = (await readdir(dataDir, { recursive: true })).filter(
      (name) => !/^signpost\.db[.-]/.test(name),
    )
    assert.deepEqual(
      after.sort(),
      before.filter((name) => !/^signpost\.db[.-]/.test(name)),
    )
    assert.equal(existsSync(`${source.databasePath}.restoring`), false)
    assert.equal(nameIn(source.databasePath), 'Ben')
    assert.equal(readFileSync(join(dataDir, 'uploads', FOLDER, '1'), 'utf8'), 'of today')
    const unlock = tryFileLock(`${source.databasePath}.server`)
    assert.ok(unlock, 'the lock is free again')
    unlock()
  })
}

const ACCEPTED: readonly [
  what: string,
  prepare: (site: Site) => unknown,
  options: Partial<RestoreOptions>,
][] = [
  ['another key on request', sealWithOtherKey, { anyKey: true }],
  ['a former key', sealWithOtherKey, { formerKeys: [Buffer.alloc(32, 'a third key'), OTHER_KEY] }],
  ['no seal on request', unseal, { anyKey: true }],
  [
    'a seal from before the ID counters counted',
    ({ file }) => changeSealed(file, '', digestWithoutCounters),
    {},
  ],
]

for (const [what, prepare, options] of ACCEPTED) {
  test(`restore accepts a backup with ${what}`, async (t) => {
    const site = await aSite(t)
    await prepare(site)
    assert.equal((await site.restore(options)).madeAt, NOW.toISOString())
    assert.equal(nameIn(site.source.databasePath), 'Ann')
  })
}

test('restore waits for no server and no other program that has the database open', async (t) => {
  const { dataDir, source, restore } = await aSite(t)
  const unlock = tryFileLock(`${source.databasePath}.server`)
  await assert.rejects(restore(), /^Error: A Signpost server is using this database\. Stop it first$/)
  assert.equal(tryFileLock(`${source.databasePath}.server`), undefined, 'the server keeps its lock')
  unlock?.()
  rmSync(join(dataDir, 'uploads'), { recursive: true })
  const other = open(t, source.databasePath)
  await assert.rejects(restore(), /^Error: Another program has the database open\./)
  assert.equal(existsSync(join(dataDir, 'uploads')), false)
  other.close()
  assert.equal(nameIn(source.databasePath), 'Ben')
  await restore()
  assert.equal(nameIn(source.databasePath), 'Ann')
})

test('a restore that another program interrupts leaves the database as it was', async (t) => {
  const { source, restore } = await aSite(t)
  const others: SqliteDatabase.Database[] = []
  const write: typeof source.files.write = async (...file) => {
    others.push(open(t, source.databasePath))
    await source.files.write(...file)
  }
  const interrupted = restore({}, { ...source, files: { ...source.files, write } })
  await assert.rejects(interrupted, /^Error: Another program opened the database during the restore\./)
  for (const other of others) other.close()
  assert.equal(nameIn(source.databasePath), 'Ben')
  assert.equal(existsSync(`${source.databasePath}.restoring`), false)
})

test('a restore whose files can’t be written, or whose previous database can’t be kept, leaves the database', async (t) => {
  const { dataDir, source, restore } = await aSite(t)
  const files = { ...source.files, write: () => Promise.reject(new Error('disk full')) }
  await assert.rejects(restore({}, { ...source, files }), /disk full/)
  const keepDir = join(dataDir, 'taken')
  writeFileSync(keepDir, '')
  await assert.rejects(restore({ keepDir }), { code: /EEXIST|ENOTDIR/ })
  assert.equal(nameIn(source.databasePath), 'Ben')
  assert.equal(existsSync(`${source.databasePath}.restoring`), false)
  await restore()
  assert.equal(nameIn(source.databasePath), 'Ann')
})

test('an unreadable database is kept unchanged', async (t) => {
  const { source, keepDir, restore } = await aSite(t)
  writeFileSync(source.databasePath, 'unreadable')
  const { keptAt } = await restore()
  assert.equal(keptAt, join(keepDir, KEPT))
  assert.deepEqual([nameIn(source.databasePath), readFileSync(keptAt, 'utf8')], ['Ann', 'unreadable'])
})

/** Opens a database like a server does. */
function open(t: TestContext, databasePath: string): SqliteDatabase.Database {
  const other = new SqliteDatabase(databasePath)
  t.after(() => other.close())
  other.pragma('journal_mode = wal')
  other.prepare('select name from leads').get()
  return other
}

function read(path: string, sql: string): Record<string, unknown> {
  const file = new SqliteDatabase(path, { readonly: true })
  try {
    return file.prepare(sql).get() as Record<string, unknown>
  } finally {
    file.close()
  }
}

/** Changes the way anyone could. */
function run(file: string, sql: string) {
  const copy = openBackup(file)
  copy.exec(sql)
  copy.close()
}

/** Changes a backup the way only the owner of the key could. */
function changeSealed(file: string, sql: string, digestOf = digestContents) {
  const copy = openBackup(file)
  copy.exec(sql)
  seal(copy, { key: KEY, digest: digestOf(copy) })
  copy.close()
}

function changeWithoutKey(file: string, sql: string) {
  const copy = openBackup(file)
  copy.exec(sql)
  copy.prepare('update backup_label set digest = ?').run(digestContents(copy))
  copy.close()
}

function sealWithOtherKey({ file }: Site) {
  const copy = openBackup(file)
  seal(copy, { key: OTHER_KEY, digest: digestContents(copy) })
  copy.close()
}

function seal(copy: BackupFile, { key, digest }: { key: Uint8Array; digest: string }) {
  const { keyId, mac } = sealLabel({ madeAt: NOW.toISOString(), digest }, key)
  copy.prepare('update backup_label set digest = ?, key_id = ?, mac = ?').run(digest, keyId, mac)
}

function unseal({ file }: Site) {
  const copy = openBackup(file)
  copy.exec(UNSEAL)
  copy.prepare('update backup_label set digest = ?').run(digestRows(copy))
  copy.close()
}
