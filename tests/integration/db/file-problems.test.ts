import assert from 'node:assert/strict'
import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileProblem, serverProblem } from '#src/db/connection-problem.ts'
import { isDamage, openSqliteBytes, openSqliteFile } from '#src/db/sqlite/open-sqlite-file.ts'
import { endsConnection, isConstraintViolation, isStorageFailure } from '#src/db/storage-failure.ts'
import { temporaryFolder } from '../../support/database.ts'

// The superuser may write any file but some of the kernel’s.
const NOBODY_WRITES = '/proc/sys/kernel/osrelease'

const SAID = 'What SQLite Says'

test('a failure to open a file says what is wrong with it', () => {
  for (const [code, problem] of [
    ['SQLITE_NOTADB', /^\/srv\/a\.db is not an SQLite database\. Restore/],
    ['SQLITE_CORRUPT', /^\/srv\/a\.db is damaged \(What SQLite Says\)\. Restore/],
    ['SQLITE_CORRUPT_INDEX', /^\/srv\/a\.db is damaged \(What SQLite Says\)\. Restore/],
    ['SQLITE_FULL', /^\/srv\/a\.db can’t be written \(what sqlite says\)\. Check whether the disk is full/],
    ['SQLITE_IOERR_WRITE', /^\/srv\/a\.db can’t be written \(what sqlite says\)\. Check whether the disk/],
    ['SQLITE_CANTOPEN', /^The database file \/srv\/a\.db can’t be opened \(what sqlite says\); check/],
  ] as const) {
    const error = coded(SAID, code)
    const told = fileProblem(error, '/srv/a.db')
    assert.ok(told instanceof Error && 'code' in told)
    assert.match(told.message, problem)
    assert.deepEqual([told.code, told.cause], [code, error])
  }
  const missing = fileProblem(new Error('Cannot open database because X'), '/srv/a.db')
  assert.match(
    String(missing),
    /^Error: The database file \/srv\/a\.db can’t be opened \(cannot open database bec/,
  )
})

test('a failure that has nothing to do with the file stays as it is', () => {
  for (const error of [new Error(SAID), coded(SAID, 'ENOSPC'), new Error('I: Cannot open database'), SAID])
    assert.equal(fileProblem(error, '/srv/a.db'), error)
  for (const error of [
    coded(SAID, '42P01'),
    new Error(SAID),
    new Error('a timeout expired'),
    'timeout expired',
  ])
    assert.equal(serverProblem(error, 'postgres://db.example/site'), error)
})

test('a file that this user may not write is named, and so are those beside it', (t) => {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    const path = join(temporaryFolder(t), 'signpost.db')
    if (suffix) writeFileSync(path, '')
    deny(path + suffix)
    const told = fileProblem(coded(SAID, 'SQLITE_CANTOPEN'), path)
    assert.ok(String(told).includes(`This user can’t read and write ${path}${suffix}. `), String(told))
  }
})

test('a SQLite file beside the database is damaged, missing, or readable', (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'beside.db')
  assert.throws(() => openSqliteFile(path, { isReadOnly: true }), /can’t be opened/)
  const file = openSqliteFile(path)
  t.after(() => file.close())
  file.exec('create table words (word text)')
  for (const [name, value] of [
    ['busy_timeout', 5_000],
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['trusted_schema', 0],
  ] as const)
    assert.equal(file.pragma(name, { simple: true }), value, name)
  const reader = openSqliteFile(path, { isReadOnly: true })
  t.after(() => reader.close())
  assert.throws(() => reader.exec('delete from words'), /readonly/)
  writeFileSync(join(folder, 'notes.txt'), 'a text that is no database '.repeat(50))
  for (const isReadOnly of [false, true]) {
    const open = () => openSqliteFile(join(folder, 'notes.txt'), { isReadOnly }).prepare('select 1 from a')
    assert.throws(open, isDamage)
  }
})

test('the bytes of a SQLite file open in memory', (t) => {
  const file = openSqliteFile(':memory:')
  t.after(() => file.close())
  file.exec("create table words (word text); insert into words values ('kept')")
  const copy = openSqliteBytes(file.serialize())
  t.after(() => copy.close())
  assert.deepEqual(copy.prepare('select word from words').all(), [{ word: 'kept' }])
  assert.equal(existsSync(':memory:'), false)
})

test('damage is known by what SQLite says, also as the cause of another error', () => {
  const damage = new Error('the file said: database disk image is malformed')
  for (const [error, isDamaged] of [
    [damage, true],
    [new Error('file is not a database'), true],
    [new Error('a', { cause: new Error('b', { cause: damage }) }), true],
    [new Error('database is locked', { cause: new Error('locked') }), false],
    ['file is not a database', false],
  ] as const)
    assert.equal(isDamage(error), isDamaged, String(error))
})

const FAILURES: [kinds: ('storage' | 'ended' | 'constraint')[], codes: string[]][] = [
  [
    ['storage', 'ended'],
    ['08006', '57P01', '25P03', '25P04'],
  ],
  [
    ['storage'],
    ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', 'SQLITE_FULL', 'SQLITE_IOERR_FSYNC', 'SQLITE_READONLY'],
  ],
  [
    ['storage'],
    ['40001', '53300', '57014', '58030', '55P03', '25006', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETDOWN'],
  ],
  [['storage'], ['ENOSPC', 'EROFS', 'EMFILE']],
  [['constraint'], ['SQLITE_CONSTRAINT', 'SQLITE_CONSTRAINT_FOREIGNKEY', '23503', '23505']],
  [
    [],
    ['', '42P01', '25P02', '0800', '080060', 'X08006', '230000', 'SQLITE_ERROR', 'ENOENT', 'A_SQLITE_BUSY'],
  ],
]

test('the code of a failure tells whether the storage failed, the connection ended, or a row was refused', () => {
  for (const [kinds, codes] of FAILURES)
    for (const code of codes) {
      const error = coded('a failure', code)
      assert.equal(isStorageFailure(error), kinds.includes('storage'), code)
      assert.equal(endsConnection(error), kinds.includes('ended'), code)
      assert.equal(isConstraintViolation(error), kinds.includes('constraint'), code)
    }
  for (const [error, isStorage] of [
    [new Error('Connection terminated unexpectedly'), true],
    [new Error('timeout exceeded when trying to connect'), true],
    [new Error('It said: Connection terminated'), false],
    ['Connection terminated', false],
    [Object.assign(new Error('a'), { code: 53300 }), false],
    [{ code: '53300' }, false],
    [undefined, false],
  ] as const)
    assert.equal(isStorageFailure(error), isStorage, String(error))
})

function deny(path: string) {
  if (process.getuid?.() === 0) {
    symlinkSync(NOBODY_WRITES, path)
  } else {
    writeFileSync(path, '')
    chmodSync(path, 0o000)
  }
}

function coded(message: string, code: string) {
  return Object.assign(new Error(message), { code })
}
