import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { connectSqlite } from '#src/db/connect.ts'
import { findSchemaRevision, migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { silentProgress } from '#src/lib/progress.ts'
import { ledgerFile, openLedger } from '#src/publish/ledger/ledger-store.ts'
import { publishSite } from '#src/publish/publish-site.ts'
import { temporaryFolder } from '../../support/database.ts'
import { freePort, PROJECT_DIR, runScript, startSite, waitFor } from '../../support/running-site.ts'
import { REVISIONS } from './revisions.ts'
import { columnTypes } from './rows.ts'

const SCRIPT = fileURLToPath(new URL('../../../scripts/migrate.ts', import.meta.url))
const { PATH, NODE_COMPILE_CACHE } = process.env
/** Nothing of whoever runs the tests but where programs are, compiled ones too. */
const PLAIN = { PATH, NODE_COMPILE_CACHE }
const LEGACY_ROWS = 30_000
const LATEST = REVISIONS.at(-1)

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

function runMigrate(
  folder: string,
  args: string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const env = { ...PLAIN, DATA_DIR: folder, ...environment }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [SCRIPT, ...args],
      { env, cwd: folder },
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

test('contract §1 migrate prints a line for each applied revision, or that there is none', async (t) => {
  const folder = temporaryFolder(t)
  const first = await runMigrate(folder)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /^Applied 0001_baseline\nApplied 0010_taxonomies\nApplied 0011_forms\n/)
  const second = await runMigrate(folder)
  assert.deepEqual(second, {
    code: 0,
    stdout: `Nothing to apply. The database is at ${LATEST}\n`,
    stderr: '',
  })
})

test('contract §1 migrate --to stops at a revision, and --status lists applied and pending ones', async (t) => {
  const folder = temporaryFolder(t)
  const before = await runMigrate(folder, ['--status'])
  assert.match(before.stdout, /^0001_baseline {2}pending\n0010_taxonomies {2}pending\n/)
  assert.deepEqual(readdirSync(folder), [], 'to look makes neither a database nor a key')
  assert.deepEqual(await runMigrate(folder, ['--to', '0010']), {
    code: 0,
    stdout: 'Applied 0001_baseline\nApplied 0010_taxonomies\n',
    stderr: '',
  })
  const { code, stdout } = await runMigrate(folder, ['--status'])
  const [baseline, taxonomies, ...pending] = stdout.trimEnd().split('\n')
  assert.equal(code, 0)
  assert.match(
    `${baseline}\n${taxonomies}`,
    /^0001_baseline {2}applied \d{4}-.+Z\n0010_taxonomies {2}applied /,
  )
  assert.deepEqual(pending.slice(0, 2), ['0011_forms  pending', '0012_content_files  pending'])
})

test('contract §1 wrong usage of migrate ends with exit code 2 and the usage line', async (t) => {
  for (const args of [['--bogus'], ['--status', '--to', '0010']]) {
    const { code, stdout, stderr } = await runMigrate(temporaryFolder(t), args)
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /^[^\n]+\nUsage: npm run migrate /)
  }
})

test('contract §1 a newer database ends migrate and start with exit code 1 and one sentence', async (t) => {
  const folder = temporaryFolder(t)
  const db = connectSqlite(join(folder, 'signpost.db'))
  await migrate(db)
  await sql`insert into kysely_migration values ('9999_future', '2026-11-20T10:00:00.000Z')`.execute(db)
  await db.destroy()
  const { code, stdout, stderr } = await runMigrate(folder)
  assert.deepEqual([code, stdout], [1, ''])
  const sentence =
    /^The database is newer than this version of Signpost \(it has the migrations 9999_future\): [^.\n]+\n$/
  assert.match(stderr, sentence)
  const start = await runScript('start.ts', { dataDir: folder, port: await freePort() })
  assert.equal(start.code, 1)
  assert.match(start.output, sentence)
})

test('a start with an older database and site serves at once and updates both', async (t) => {
  const dataDir = temporaryFolder(t)
  const path = join(dataDir, 'signpost.db')
  const [old, other] = [connectSqlite(path), connectSqlite(join(dataDir, 'other.db'))]
  await migrate(old, { to: '0036' })
  await old.destroy()
  await migrate(other)
  const options = { projectDir: PROJECT_DIR, dataDir, siteUrl: 'http://localhost', progress: silentProgress }
  const { release } = await publishSite(other, { ...options, now: () => new Date() })
  await other.destroy()
  await writeFile(join(release.siteDir, 'index.html'), 'The former look')
  const ledger = openLedger(ledgerFile(dataDir))
  ledger.exec(
    "update pages set fingerprint = 'f', bytes_hash = 'f'; update releases set facts = json_set(facts, '$.program', 'f')",
  )
  ledger.close()

  const site = await startSite(t, { dataDir, contentDir: temporaryFolder(t) })
  const home = async () => (await fetch(site.url)).text()
  assert.equal(await home(), 'The former look')
  await waitFor(async () => (await home()).includes('<h1'), 60_000)
  assert.equal((await (await fetch(`${site.url}/health`)).json()).schema, LATEST)
})

test('contract §1 an unreachable server ends migrate with exit code 1 and one sentence', async (t) => {
  const url = 'postgres://nobody:hidden@localhost:1/none'
  const { code, stderr } = await runMigrate(temporaryFolder(t), [], { DATABASE_URL: url })
  assert.equal(code, 1)
  assert.match(stderr, /^The database server at localhost:1\/none refuses connections [^\n]+\n$/)
  assert.doesNotMatch(stderr, /hidden/)
})

test('§9.3 two concurrent migrations apply every revision once', async (t) => {
  const folder = temporaryFolder(t)
  const outcomes = await Promise.all([runMigrate(folder), runMigrate(folder)])
  assert.deepEqual(
    outcomes.map(({ code, stderr }) => [code, stderr]),
    [
      [0, ''],
      [0, ''],
    ],
  )
  const applied = outcomes.flatMap(({ stdout }) => stdout.match(/^Applied .+$/gm) ?? [])
  assert.equal(new Set(applied).size, applied.length)
  assert.equal(applied.at(-1), `Applied ${LATEST}`)
})

test('§2.4 a migration killed halfway leaves the old revision, and the next run completes it', async (t) => {
  const legacy = await legacyDatabase(t)
  const found: (string | undefined)[] = []
  // The log holds what is written but not yet committed: its size says how far the migration has come.
  for (const bytesWritten of [1, Math.random() * 2e6, Math.random() * 4e6]) {
    const folder = temporaryFolder(t)
    const path = join(folder, 'signpost.db')
    copyFileSync(legacy, path)
    await killWhenWritten(folder, path, bytesWritten)

    const db = connectSqlite(path)
    const revision = await findSchemaRevision(db)
    const isOld = revision === '0001_baseline'
    const hasNewColumn = (await columnTypes(db)).form_submissions?.data_json !== undefined
    assert.equal(
      hasNewColumn,
      !isOld,
      `killed after ${bytesWritten} bytes, it is between ${revision} and the next`,
    )
    assert.deepEqual(await migrate(db), isOld ? REVISIONS.slice(1) : [])
    await assertWhole(db)
    await db.destroy()
    found.push(revision)
  }
  // On a busy machine one of them may have come to its end in the moment before the signal, not all.
  assert.ok(found.includes('0001_baseline'), `every kill came too late: ${found}`)
})

async function legacyDatabase(t: TestContext) {
  const path = join(temporaryFolder(t), 'legacy.db')
  const db = connectSqlite(path)
  await migrate(db, { to: '0001' })
  await sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${LEGACY_ROWS})
    insert into form_submissions (full_name, email, role)
    select 'Visitor ' || i, i || '@example.com', 'owner' from n`.execute(db)
  await db.destroy()
  return path
}

async function killWhenWritten(folder: string, path: string, bytes: number) {
  const env = { ...PLAIN, DATA_DIR: folder }
  const child = spawn(process.execPath, [SCRIPT], { env, cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  while (isRunning(child) && logSize(path) < bytes) await delay(1)
  child.kill('SIGKILL')
  await ended
}

function isRunning(child: ChildProcess) {
  return child.exitCode === null
}

function logSize(path: string) {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
}

async function assertWhole(db: Kysely<Schema>) {
  assert.equal(await findSchemaRevision(db), LATEST)
  const { rows } = await sql<{ right: number }>`select count(*) as right from form_submissions
    where form_id = 1 and json_extract(data_json, '$.full_name') = full_name
      and json_extract(data_json, '$.email') = email`.execute(db)
  assert.equal(rows[0]?.right, LEGACY_ROWS)
  const integrity = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  assert.deepEqual(integrity.rows, [{ integrity_check: 'ok' }])
  assert.deepEqual((await sql`pragma foreign_key_check`.execute(db)).rows, [])
}
