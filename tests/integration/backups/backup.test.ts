import assert from 'node:assert/strict'
import { chmodSync, existsSync, statSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { openBackup } from '#src/backups/backup-file-store.ts'
import { digestContents, digestRows } from '#src/backups/digest-store.ts'
import { makeBackup } from '#src/backups/make-backup.ts'
import { restoreBackup } from '#src/backups/restore-backup.ts'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import { openDiskFiles } from '#src/files/disk-files.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aDesk } from '../../support/desk.ts'
import { storeForm } from '../../support/forms.ts'
import { runScript } from '../../support/running-site.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const FOLDER = 'a'.repeat(32)

const SECRET_KEY = Buffer.alloc(32, 'a key of this server')

/** A data folder with a form, three submissions and a file of a visitor. */
async function aDataFolder(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const source = {
    databasePath: join(dataDir, 'signpost.db'),
    files: openDiskFiles(dataDir),
    pictureFiles: openPictureFiles(dataDir),
    secretKey: SECRET_KEY,
  }
  const db = connectSqlite(source.databasePath)
  await migrate(db)
  await storeForm(db, 'quote', { fields: [{ name: 'name', label: 'Name' }] })
  for (const name of ['Ann', 'Ben', 'Cleo']) await aDesk(db).accept('quote', { name })
  await mkdir(join(source.files.localFolder, 'uploads', FOLDER), { recursive: true })
  await writeFile(join(source.files.localFolder, 'uploads', FOLDER, '1'), 'a picture')
  const upload = {
    field_name: 'photo',
    name: 'roof.png',
    type: 'image/png',
    size: 9,
    folder: FOLDER,
    file: '1',
  }
  await db
    .insertInto('uploads')
    .values({ ...upload, submission_id: 1, created_at: NOW.toISOString() })
    .execute()
  await db.destroy()
  const file = join(dataDir, 'copy.db')
  return { dataDir, source, file, restore: () => restoreBackup(source, { file, keepDir: dataDir, now: NOW }) }
}

async function submissionsOf(databasePath: string) {
  const db = connectSqlite(databasePath)
  try {
    return await db.selectFrom('form_submissions').selectAll().orderBy('id').execute()
  } finally {
    await db.destroy()
  }
}

async function change(databasePath: string) {
  const db = connectSqlite(databasePath)
  await db.deleteFrom('form_submissions').where('id', '=', 2).execute()
  await db.destroy()
}

test('a restore brings back all rows and files and keeps the replaced data', async (t) => {
  const { source, file, dataDir, restore } = await aDataFolder(t)
  const before = await submissionsOf(source.databasePath)
  assert.deepEqual(await makeBackup(source, { file, now: NOW }), { file, uploads: 1 })
  await change(source.databasePath)
  await writeFile(join(source.files.localFolder, 'uploads', FOLDER, '1'), 'overwritten')

  const { madeAt, keptAt } = await restore()
  assert.equal(madeAt, NOW.toISOString())
  assert.deepEqual(await submissionsOf(source.databasePath), before)
  assert.equal(await readFile(join(source.files.localFolder, 'uploads', FOLDER, '1'), 'utf8'), 'a picture')
  assert.equal(keptAt, join(dataDir, 'before-restore-20261121T100000000Z.db'))
  const db = connectSqlite(source.databasePath)
  t.after(() => db.destroy())
  assert.deepEqual(await migrate(db), [])
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  assert.deepEqual(
    tables.filter((name) => name.startsWith('backup_')),
    [],
  )
  await db.destroy()
  const later = new Date(NOW.getTime() + 1)
  await restoreBackup(source, { file: keptAt as string, keepDir: dataDir, now: later })
  assert.equal((await submissionsOf(source.databasePath)).length, 2)
})

test('backup and restore create missing folders', async (t) => {
  const { source, dataDir } = await aDataFolder(t)
  const file = join(dataDir, 'disk/backups/copy.db')
  await makeBackup(source, { file, now: NOW })
  const elsewhere = join(dataDir, 'other')
  const target = { ...source, databasePath: join(elsewhere, 'signpost.db'), files: openDiskFiles(elsewhere) }
  const keepDir = join(dataDir, 'kept')
  assert.equal((await restoreBackup(target, { file, keepDir, now: NOW })).keptAt, undefined)
  assert.equal((await submissionsOf(target.databasePath)).length, 3)
  assert.equal(existsSync(keepDir), false)
})

test('a backup skips files deleted meanwhile and fails on unreadable ones', async (t) => {
  const { source, file } = await aDataFolder(t)
  const folder = join(source.files.localFolder, 'uploads', FOLDER)
  await rm(folder, { recursive: true })
  assert.deepEqual(await makeBackup(source, { file, now: NOW }), { file, uploads: 0 })
  await writeFile(folder, 'not a folder')
  await assert.rejects(makeBackup(source, { file: `${file}.2`, now: NOW }), { code: 'ENOTDIR' })
})

test('only the owner can read a backup and the files restored from it', async (t) => {
  const { source, file, restore } = await aDataFolder(t)
  const modeOf = (path: string) => statSync(path).mode & 0o777
  await makeBackup(source, { file, now: NOW })
  assert.equal(modeOf(file), 0o600)
  chmodSync(file, 0o644)
  await rm(join(source.files.localFolder, 'uploads'), { recursive: true })
  await restore()
  assert.equal(modeOf(source.databasePath), 0o600)
  assert.equal(modeOf(join(source.files.localFolder, 'uploads', FOLDER, '1')), 0o600)
})

test('restore refuses truncated, altered, and foreign files and changes nothing', async (t) => {
  const { source, file, restore } = await aDataFolder(t)
  await makeBackup(source, { file, now: NOW })
  const whole = await readFile(file)
  const before = await submissionsOf(source.databasePath)
  const changed = Buffer.from(whole)
  const answer = changed.indexOf('Cleo')
  assert.ok(answer > 0)
  changed.write('Dora', answer)
  const page = Buffer.from(whole)
  page.fill(0xff, 5 * 4096, 6 * 4096)
  const copies = [
    [whole.subarray(0, whole.length - 4096), /damaged/],
    [changed, /was changed or damaged after the backup/],
    [page, /damaged|was changed/],
    [Buffer.from('not a database at all, but long enough to be read as one'), /damaged/],
    [Buffer.alloc(0), /not a Signpost backup/],
  ] as const
  for (const [bytes, expected] of copies) {
    await writeFile(file, bytes)
    await assert.rejects(restore(), expected)
    assert.deepEqual(await submissionsOf(source.databasePath), before)
  }
  const left = (await readdir(join(file, '..'))).filter((name) => /restoring|before-restore/.test(name))
  assert.deepEqual(left, [])
})

const CHANGES: readonly [what: string, sql: string, expected: RegExp][] = [
  [
    'a trigger',
    "create trigger evil after insert on form_submissions begin update forms set status = 'archived'; end",
    /contains code that Signpost did not create: the trigger "evil"\. Nothing was restored$/,
  ],
  ['a view', 'create view leads as select * from form_submissions', /the view "leads"/],
  ['two views', 'create view a as select 1; create view b as select 2', /the view "a", the view "b"\./],
  [
    'a row without the one it belongs to',
    'pragma foreign_keys = off; delete from forms where id = (select form_id from form_submissions)',
    /damaged/,
  ],
  [
    'a trigger of ours that does something else',
    'drop trigger submission_notes_insert; create trigger submission_notes_insert after insert on submission_notes begin delete from forms; end',
    /the trigger "submission_notes_insert"/,
  ],
  ['an empty table', 'create table extra (id integer) strict', /the checksum differs/],
  ['an index', 'create index extra on forms (name)', /the checksum differs/],
  [
    'a counter of IDs',
    "update sqlite_sequence set seq = 9223372036854775807 where name = 'form_submissions'",
    /the checksum differs/,
  ],
]

for (const [what, sql, expected] of CHANGES) {
  test(`restore refuses a backup with an added or altered ${what}`, async (t) => {
    const { source, file, restore } = await aDataFolder(t)
    await makeBackup(source, { file, now: NOW })
    const copy = new SqliteDatabase(file)
    copy.exec(sql)
    copy.close()
    await assert.rejects(restore(), expected)
  })
}

test('restore refuses an altered backup with a recalculated checksum because of its seal', async (t) => {
  const { source, file, restore } = await aDataFolder(t)
  await makeBackup(source, { file, now: NOW })
  const copy = openBackup(file)
  copy.prepare("update form_submissions set data_json = '{}' where id = 1").run()
  copy.prepare('update backup_label set digest = ?').run(digestContents(copy))
  await assert.rejects(restore(), /was changed by someone without your SECRET_KEY: the seal is invalid/)
  const anyKey = restoreBackup(source, { file, keepDir: source.files.localFolder, now: NOW, anyKey: true })
  await assert.rejects(anyKey, /the seal is invalid/)
  copy.prepare('update backup_label set mac = ?').run('short')
  copy.close()
  await assert.rejects(restore(), /the seal is invalid/)

  const unsealed = openBackup(file)
  unsealed.exec('alter table backup_label drop column key_id; alter table backup_label drop column mac')
  unsealed.prepare('update backup_label set digest = ?').run(digestRows(unsealed))
  unsealed.close()
  await assert.rejects(restore(), /is missing its seal, so someone changed the file/)
})

test('restore accepts an unsealed backup only on request', async (t) => {
  const { source, file, dataDir, restore } = await aDataFolder(t)
  await makeBackup(source, { file, now: NOW })
  const forged = openBackup(file)
  forged.prepare("update form_submissions set data_json = '{}' where id = 1").run()
  for (const name of triggersSince(forged)) forged.exec(`drop trigger ${name}`)
  forged.exec(`delete from kysely_migration where name >= '0051';
    alter table backup_label drop column key_id; alter table backup_label drop column mac`)
  const options = { file, keepDir: dataDir, now: NOW, anyKey: true }
  await assert.rejects(restoreBackup(source, options), /the checksum differs/)
  forged.prepare('update backup_label set digest = ?').run(digestRows(forged))
  forged.close()
  await assert.rejects(restore(), /has no seal: .* --any-key/)
  assert.equal((await restoreBackup(source, options)).madeAt, NOW.toISOString())
})

// The revision before 0051 had those of the search index and of renamed names.
const FORMER_TRIGGERS =
  /^(submission_search_delete|submission_notes_(insert|update|delete)|(taxonomy_terms|services)_renamed)$/

function triggersSince(file: ReturnType<typeof openBackup>): string[] {
  const names = file
    .prepare("select name from sqlite_schema where type = 'trigger'")
    .pluck()
    .all() as string[]
  return names.filter((name) => !FORMER_TRIGGERS.test(name))
}

test('a backup that can’t be renamed into place reports the error and leaves nothing behind', async (t) => {
  const { source, file } = await aDataFolder(t)
  const making = makeBackup(source, { file, now: NOW })
  const refused = assert.rejects(making, { code: /EISDIR|ENOTEMPTY|EEXIST/ })
  while (!existsSync(`${file}.unfinished`)) await nextTurn()
  await mkdir(join(file, 'taken'), { recursive: true })
  await refused
  assert.deepEqual(await readdir(file), ['taken'])
  assert.equal(existsSync(`${file}.unfinished`), false)
})

test('restore refuses a plain database of this program, and a backup from a newer version', async (t) => {
  const { source, file, restore } = await aDataFolder(t)
  const plain = connectSqlite(file)
  await migrate(plain)
  await plain.destroy()
  await assert.rejects(restore(), /not a Signpost backup; expected a file made by npm run backup/)

  const db = connectSqlite(source.databasePath)
  const newer = ['9998_soon', '9999_from_the_future'].map((name) => ({ name, timestamp: NOW.toISOString() }))
  await db
    .withTables<{ kysely_migration: (typeof newer)[number] }>()
    .insertInto('kysely_migration')
    .values(newer)
    .execute()
  await db.destroy()
  await writeFile(file, '')
  const future = `${file}.future`
  await makeBackup(source, { file: future, now: NOW })
  await assert.rejects(
    restoreBackup(source, { file: future, keepDir: source.files.localFolder, now: NOW }),
    /made by a newer version \(with the migrations 9998_soon, 9999_from_the_future\)/,
  )
})

test('backup and restore support databases from before uploads and refuse foreign databases', async (t) => {
  const dataDir = temporaryFolder(t)
  const source = {
    databasePath: join(dataDir, 'signpost.db'),
    files: openDiskFiles(dataDir),
    pictureFiles: openPictureFiles(dataDir),
    secretKey: SECRET_KEY,
  }
  const file = join(dataDir, 'copy.db')
  const none = await runScript('backup.ts', { dataDir, arguments: [file] })
  assert.match(none.output, /^There is no database at .*\. Run npm start first$/m)
  await mkdir(source.databasePath)
  await assert.rejects(makeBackup(source, { file, now: NOW }), /^Error: There is no database at/)
  assert.equal(existsSync(join(dataDir, 'secret.key')), false)
  await rm(source.databasePath, { recursive: true })
  await writeFile(source.databasePath, '')
  await assert.rejects(
    makeBackup(source, { file, now: NOW }),
    /is not a Signpost database\. Run npm start first/,
  )
  await writeFile(source.databasePath, 'some text that is no database at all'.repeat(9))
  await assert.rejects(
    makeBackup(source, { file, now: NOW }),
    /is not an SQLite database. Restore a backup with/,
  )
  await rm(source.databasePath)
  const db = connectSqlite(source.databasePath)
  await migrate(db, { to: '0014' })
  await db.destroy()
  assert.deepEqual(await makeBackup(source, { file, now: NOW }), { file, uploads: 0 })
  await restoreBackup(source, { file, keepDir: dataDir, now: NOW })
})

test('restore replaces an unreadable database and keeps the original', async (t) => {
  const { source, file, restore } = await aDataFolder(t)
  const before = await submissionsOf(source.databasePath)
  await makeBackup(source, { file, now: NOW })
  await truncate(source.databasePath, 5_000)
  const { keptAt } = await restore()
  assert.deepEqual(await submissionsOf(source.databasePath), before)
  assert.equal((await readFile(keptAt as string)).length, 5_000)
})

test('leftovers of a killed restore don’t affect the next one', async (t) => {
  const { source, file, dataDir, restore } = await aDataFolder(t)
  await makeBackup(source, { file, now: NOW })
  const left = `${source.databasePath}.restoring`
  await leaveJournal(join(temporaryFolder(t), 'other.db'), `${left}-journal`)
  for (const suffix of ['-wal', '-shm']) await writeFile(left + suffix, 'left')
  await restore()
  assert.equal((await submissionsOf(source.databasePath)).length, 3)
  assert.deepEqual(
    (await readdir(dataDir)).filter((name) => name.includes('restoring')),
    [],
  )
})

/** The journal of a transaction over a whole other database, as a kill leaves it. */
async function leaveJournal(path: string, to: string) {
  const other = new SqliteDatabase(path)
  other.exec('pragma cache_size = 1; create table pages (bytes)')
  const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 300)'
  other.exec(`insert into pages ${numbers} select randomblob(4000) from n`)
  other.exec('begin; update pages set bytes = zeroblob(4000)')
  await copyFile(`${path}-journal`, to)
  other.close()
}

test('with two backups to one file the first wins, and leftovers of a killed one are ignored', async (t) => {
  const { source, file, restore } = await aDataFolder(t)
  await leaveJournal(join(temporaryFolder(t), 'other.db'), `${file}.unfinished-journal`)
  await writeFile(`${file}.unfinished`, 'half')
  const made = await Promise.allSettled([1, 2].map(() => makeBackup(source, { file, now: NOW })))
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  assert.deepEqual(refused, [`Error: ${file} already exists. Choose another name`])
  assert.deepEqual(
    [existsSync(`${file}.unfinished`), existsSync(`${file}.unfinished-journal`)],
    [false, false],
  )
  await restore()
  assert.equal((await submissionsOf(source.databasePath)).length, 3)
})

test('backup refuses a damaged database and an existing target file', async (t) => {
  const { source, file } = await aDataFolder(t)
  await makeBackup(source, { file, now: NOW })
  await assert.rejects(makeBackup(source, { file, now: NOW }), /already exists\. Choose another name/)
  const orphaned = new SqliteDatabase(source.databasePath)
  orphaned.exec(
    'pragma foreign_keys = off; delete from forms where id = (select form_id from form_submissions)',
  )
  orphaned.close()
  await assert.rejects(makeBackup(source, { file: `${file}.1`, now: NOW }), /damaged/)
  const bytes = await readFile(source.databasePath)
  bytes.fill(0xff, 3 * 4096, 8 * 4096)
  await writeFile(source.databasePath, bytes)
  const second = `${file}.2`
  await assert.rejects(makeBackup(source, { file: second, now: NOW }), /damaged|malformed/)
  assert.equal(existsSync(second) || existsSync(`${second}.unfinished`), false)
})
