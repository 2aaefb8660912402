import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connectDatabase } from '#src/db/connect.ts'
import { serverProblem } from '#src/db/connection-problem.ts'
import { isStorageFailure } from '#src/db/storage-failure.ts'
import { temporaryFolder } from '../../support/database.ts'
import { freePort, runScript } from '../../support/running-site.ts'

test('contract §2 an invalid DATABASE_URL gets a one-sentence error', (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'a-folder'))
  writeFileSync(
    join(folder, 'notes.txt'),
    'no database, but a text that is long enough to be read as one '.repeat(20),
  )
  for (const [name, problem] of [
    ['a-folder', /can’t be opened \(unable to open database file\)/],
    ['missing/signpost.db', /can’t be opened \(cannot open database because the directory does not exist\)/],
    ['notes.txt/signpost.db', /can’t be opened/],
    ['notes.txt', /is not an SQLite database/],
  ] as const) {
    assert.throws(
      () => connectDatabase(`file:${join(folder, name)}`),
      (error: Error) => {
        assert.match(error.message, problem)
        assert.match(error.message, /check DATABASE_URL$/)
        return true
      },
    )
  }
})

test('contract §2 another user’s WAL beside the database file is reported', async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'signpost.db')
  const connect = `connectDatabase('file:' + process.argv[1])`
  await connectDatabase(`file:${path}`).destroy()
  writeFileSync(`${path}-wal`, '', { mode: 0o000 })
  // The superuser may read everything, and is another user once all is loaded.
  const child = spawnSync(process.execPath, [
    ...['--input-type=module', '--eval'],
    `import { chownSync } from 'node:fs'
    import { connectDatabase } from '${new URL('../../../src/db/connect.ts', import.meta.url)}'
    await connectDatabase('file:' + process.argv[2]).destroy()
    if (process.getuid() === 0) {
      for (const path of process.argv.slice(1)) chownSync(path, 65534, 65534)
      process.setuid(65534)
    }
    try { ${connect} } catch (error) { console.log(error.message) }`,
    ...[path, join(folder, 'other.db'), folder],
  ])
  assert.match(
    child.stdout.toString(),
    /can’t read and write .*signpost\.db-wal\. Run the command as the user who owns/,
  )
})

test('contract §2 a folder in which this user can’t create a file is reported', (t) => {
  const parent = temporaryFolder(t)
  const folder = join(parent, 'of-another-user')
  mkdirSync(folder, { mode: 0o555 })
  chmodSync(parent, 0o755)
  // The superuser may write everywhere, and is another user once all is loaded.
  const child = spawnSync(process.execPath, [
    ...['--input-type=module', '--eval'],
    `import { connectDatabase } from '${new URL('../../../src/db/connect.ts', import.meta.url)}'
    import { tryFileLock } from '${new URL('../../../src/db/file-lock.ts', import.meta.url)}'
    await connectDatabase('file:' + process.argv[1]).destroy()
    if (process.getuid() === 0) process.setuid(65534)
    try { tryFileLock(process.argv[2]) } catch (error) { console.log(error.message) }`,
    ...[join(temporaryFolder(t), 'other.db'), join(folder, 'templates.lock')],
  ])
  assert.match(
    child.stdout.toString(),
    /can’t create files in .*of-another-user\. Run the command as the user who owns the folder/,
  )
})

test('contract §2 an unreachable database server gets a one-sentence error without its password', async (t) => {
  const port = await freePort()
  for (const [host, problem] of [
    [
      `127.0.0.1:${port}`,
      /^The database server at 127\.0\.0\.1:\d+\/site refuses connections \(ECONNREFUSED\)/,
    ],
    [
      'nowhere.invalid',
      /^The database server at nowhere\.invalid\/site has a host name that does not resolve/,
    ],
  ] as const) {
    const db = connectDatabase(`postgres://ann:hidden@${host}/site`)
    t.after(() => db.destroy())
    await assert.rejects(sql`select 1`.execute(db), (error: Error) => {
      assert.match(error.message, problem)
      assert.match(error.message, /check DATABASE_URL$/)
      assert.ok(!error.message.includes('hidden'))
      // A visitor is still told to try again in a moment.
      return isStorageFailure(error)
    })
  }
})

test('contract §2 a refused or closed database connection is reported with a fix', () => {
  for (const [error, problem] of [
    [
      coded('sorry, too many clients already', '53300'),
      /has no connections left .* raise its max_connections/,
    ],
    [coded('the database system is starting up', '57P03'), /starting or stopping .* again in a moment$/],
    [new Error('Connection terminated unexpectedly'), /closed the connection .*; check DATABASE_URL$/],
    [new Error('timeout expired'), /does not respond .*; check DATABASE_URL$/],
  ] as const) {
    const told = serverProblem(error, 'postgres://ann:hidden@db.example/site')
    assert.ok(told instanceof Error && isStorageFailure(told), error.message)
    assert.match(told.message, problem)
    assert.match(told.message, /^The database server at db\.example\/site /)
  }
  assert.ok(isStorageFailure(coded('cannot execute INSERT in a read-only transaction', '25006')))
})

function coded(message: string, code: string) {
  return Object.assign(new Error(message), { code })
}

test('contract §1 a command without its database reports that in one line', async (t) => {
  const environment = { DATABASE_URL: `postgres://ann@127.0.0.1:${await freePort()}/site` }
  for (const script of ['migrate.ts', 'start.ts']) {
    const { code, output } = await runScript(script, { dataDir: temporaryFolder(t), environment })
    assert.equal(code, 1)
    assert.match(
      output,
      /^The database server at \S+ refuses connections \(ECONNREFUSED\); check DATABASE_URL\n$/,
    )
  }
})
