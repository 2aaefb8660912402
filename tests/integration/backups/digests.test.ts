import assert from 'node:assert/strict'
import { test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { digestContents, digestRows, digestWithoutCounters } from '#src/backups/digest-store.ts'

const TABLES = 'create table ids (id integer primary key autoincrement); create table rows (one, other)'

/** A backup with these statements after its tables. */
function aFile(sql: string) {
  const file = new SqliteDatabase(':memory:')
  file.exec(`${TABLES}; ${sql}`)
  return file
}

const row = (one: string, other: string) => `insert into rows values (${one}, ${other})`
const OTHER_ROWS: readonly [what: string, one: string, other: string][] = [
  ['values that meet elsewhere', row("'ab'", "'c'"), row("'a'", "'bc'")],
  ['a null and an empty text', row('null', "''"), row("''", 'null')],
  ['two nulls and none', row('null', 'null'), 'select 1'],
  ['a null and its letter', row('null', '1'), row("'n'", '1')],
  ['a number and its text', row('1', '2'), row("'1'", '2')],
  ['bytes and their text', row("x'6162'", '1'), row("'ab'", '1')],
  ['bytes that meet elsewhere', row("x'6162'", "x'63'"), row("x'61'", "x'6263'")],
  ['other bytes of the same length', row("x'61'", '1'), row("x'62'", '1')],
  ['other bytes that are no text', row("x'ff'", '1'), row("x'fe'", '1')],
  ['other texts of the same length', row("'a'", '1'), row("'b'", '1')],
  ['values in other columns', row("'a'", "'b'"), row("'b'", "'a'")],
  ['rows in another order', `${row('1', '1')}; ${row('2', '2')}`, `${row('2', '2')}; ${row('1', '1')}`],
  ['a removed row', `${row('1', '1')}; ${row('2', '2')}`, row('1', '1')],
  [
    'rows of another table',
    'create table more (one); insert into more values (1)',
    'create table more (one)',
  ],
  ['another table name', 'create table more (one)', 'create table most (one)'],
]

for (const [what, one, other] of OTHER_ROWS) {
  test(`every digest shows ${what}`, () => {
    for (const digest of [digestContents, digestWithoutCounters, digestRows])
      assert.notEqual(digest(aFile(one)), digest(aFile(other)), digest.name)
  })
}

test('only the digest of the contents shows a counter of IDs', () => {
  const [one, other] = ['', 'insert into ids values (7); delete from ids']
  assert.notEqual(digestContents(aFile(one)), digestContents(aFile(other)))
  assert.equal(digestWithoutCounters(aFile(one)), digestWithoutCounters(aFile(other)))
  const counters = [1, 2].map((seq) => `insert into sqlite_sequence values ('ids', ${seq})`)
  assert.notEqual(...(counters.map((sql) => digestContents(aFile(sql))) as [string, string]))
})

test('an index changes the digests with the schema, and the label none', () => {
  for (const [sql, changes] of [
    ['create index more on rows (one)', [true, true, false]],
    ["create table backup_label (digest); insert into backup_label values ('x')", [false, false, false]],
  ] as const) {
    const digests = [digestContents, digestWithoutCounters, digestRows]
    assert.deepEqual(
      digests.map((digest) => digest(aFile('')) !== digest(aFile(sql))),
      changes,
    )
  }
})

test('a PostgreSQL backup has no counters of its own', () => {
  const file = new SqliteDatabase(':memory:')
  file.exec('create table backup_dump (part integer primary key, bytes blob)')
  const digest = digestContents(file)
  file.exec("insert into backup_dump (bytes) values (x'61')")
  assert.notEqual(digestContents(file), digest)
})
