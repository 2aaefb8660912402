import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import sharp from 'sharp'
import { connectSqlite } from '#src/db/connect.ts'
import { migrate } from '#src/db/migrate.ts'
import type { Schema } from '#src/db/schema.ts'
import { findUnpublishedSync, forgetSync } from '#src/publish/plan/unpublished-sync.ts'
import { temporaryFolder } from '../../support/database.ts'

const SCRIPTS = fileURLToPath(new URL('../../../scripts', import.meta.url))
const DOT = { width: 1, height: 1, channels: 3, background: 'red' } as const

function openFolder(t: TestContext, page: string) {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'content/pages'), { recursive: true })
  writeFileSync(join(folder, 'content/pages/about.md'), page)
  return folder
}

function run(cwd: string, script: string, ...args: string[]) {
  return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [join(SCRIPTS, script), ...args], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

test('contract §1 sync prints its changes, and export prints its files', async (t) => {
  const folder = openFolder(t, '---\ntitle: About\n---\n')
  const dry = await run(folder, 'content-sync.ts', '--dry-run')
  assert.match(dry.stdout, /^added {4}pages\/about\.md\nWould sync: 1 added/)
  const synced = await run(folder, 'content-sync.ts')
  assert.deepEqual([synced.code, synced.stderr], [0, ''])
  assert.match(synced.stdout, /^Synced: 1 added, 0 changed, 0 removed, 0 kept; local pages 0 added/)
  const exported = await run(folder, 'content-export.ts', '--out', 'copy')
  assert.deepEqual(exported, { code: 0, stdout: 'Exported 1 file to copy\n', stderr: '' })
})

test('a sync that changes pages leaves unpublished changes; an empty sync or dry run leaves none', async (t) => {
  const folder = openFolder(t, '---\ntitle: About\n---\n')
  const dataDir = join(folder, 'data')
  const sync = async (...args: string[]) => {
    forgetSync(dataDir, findUnpublishedSync(dataDir))
    await run(folder, 'content-sync.ts', ...args)
    return findUnpublishedSync(dataDir) !== undefined
  }
  assert.deepEqual([await sync('--dry-run'), await sync(), await sync()], [false, true, false])
  const pictures = join(folder, 'content/pictures')
  mkdirSync(pictures)
  writeFileSync(join(pictures, 'dot.png'), await sharp({ create: DOT }).png().toBuffer())
  assert.equal(await sync(), true)
})

test('contract §1 errors are printed to stderr with file and line, and the command fails', async (t) => {
  const { code, stderr } = await run(openFolder(t, '---\ntitel: About\n---\n'), 'content-sync.ts')
  assert.equal(code, 1)
  assert.match(stderr, /^content\/pages\/about\.md:2: title is missing, expected text$/m)
  assert.match(stderr, /^Nothing was synced\. Correct 2 errors and sync again$/m)
})

test('a condition with an unknown place or choice is named, and the sync goes on', async (t) => {
  const folder = openFolder(t, '---\ntitle: About\n---\n')
  mkdirSync(join(folder, 'content/forms'))
  writeFileSync(
    join(folder, 'content/forms/quote.yaml'),
    `name: Quote
fields: [{ name: building, label: Building, type: select, options: [House/h, Flat/f] }]
webhooks:
  - name: CRM
    url: https://crm.example.com/leads
    fire_on: { all: [{ field: meta.location_slug, op: within, value: portlnd }, { building: [f, House] }] }
`,
  )
  const { code, stdout, stderr } = await run(folder, 'content-sync.ts')
  assert.deepEqual(stderr.split('\n'), [
    'Warning: The webhook "CRM" (Quote) uses unknown slugs: portlnd',
    'Warning: The webhook "CRM" (Quote) uses unknown choices of building: House',
    '',
  ])
  assert.equal(code, 0)
  assert.match(stdout, /^Synced: 2 added/)
})

for (const [script, ...args] of [
  ['content-sync.ts', '--prefer', 'mine'],
  ['content-sync.ts', '--nonsense'],
  ['content-export.ts'],
  ['build.ts', '--shard', '1/2', '--to', 'part', '--join', 'other'],
  ['build.ts', '--out', ''],
  ['bench.ts', 'constructor'],
] as const) {
  test(`contract §1 ${[script, ...args].join(' ')} is wrong usage`, async (t) => {
    const { code, stderr } = await run(temporaryFolder(t), script, ...args)
    assert.equal(code, 2)
    assert.match(stderr, /^Usage: npm run (content:|build|bench)/m)
  })
}

test('commands that don’t migrate refuse older and newer databases, and foreign folders before a sync', async (t) => {
  const [older, newer] = [temporaryFolder(t), openFolder(t, '---\ntitle: About\n---\n')]
  await withDatabase(join(older, 'data'), (db) => migrate(db, { to: '0012' }))
  await withDatabase(join(newer, 'data'), async (db) => {
    await migrate(db)
    await sql`insert into kysely_migration values ('9999_from_the_future', '2026')`.execute(db)
  })
  const shard = ['build.ts', '--shard', '1/2', '--to', 'part'] as const
  const [pending, ...refused] = await Promise.all([
    run(older, ...shard),
    run(newer, ...shard),
    run(newer, 'content-sync.ts', '--dry-run'),
  ])
  assert.match(pending.stderr, /^Migrations are pending, .*Run npm run migrate first$/m)
  for (const { code, stderr } of refused)
    assert.deepEqual(
      [code, /^The database is newer than this version of Signpost/.test(stderr)],
      [1, true],
      stderr,
    )
  const [joined, copied] = await Promise.all([
    run(newer, 'build.ts', '--join', 'content', '--join', 'nowhere'),
    run(newer, 'build.ts', '--out', 'content'),
  ])
  assert.match(copied.stderr, /^content contains other files. Choose an empty folder/)
  assert.match(joined.stderr, /^content is not part of a publish. Choose a folder that --shard wrote$/m)
})

async function withDatabase(folder: string, work: (db: Kysely<Schema>) => Promise<unknown>) {
  mkdirSync(folder)
  const db = connectSqlite(join(folder, 'signpost.db'))
  await work(db)
  await db.destroy()
}

const OUTCOMES: [code: number, says: RegExp, script: string, ...args: string[]][] = [
  [0, /^There is no release yet\. Run npm run build to create the first release$/m, 'rollback.ts', '--list'],
  [1, /^There is no earlier release to roll back to$/m, 'rollback.ts'],
  [2, /^Usage: npm run rollback/m, 'rollback.ts', '--list', '--to', '20260101T000000000Z'],
  [1, /^\d of \d+ checks failed\. See ✗ above$/m, 'doctor.ts'],
  [0, /^better-sqlite3@[\d.]+ {2}MIT$/m, 'licences.ts'],
]

test('a list of releases leaves an empty folder empty', async (t) => {
  const folder = temporaryFolder(t)
  assert.equal((await run(folder, 'rollback.ts', '--list')).code, 0)
  assert.deepEqual(readdirSync(folder), [])
})

test('contract §1 commands in an empty folder exit with the right status', async (t) => {
  const runs = OUTCOMES.map(([, , script, ...args]) => run(temporaryFolder(t), script, ...args))
  for (const [index, { code, stdout, stderr }] of (await Promise.all(runs)).entries()) {
    const [expected, says, ...command] = OUTCOMES[index] ?? assert.fail()
    assert.equal(code, expected, command.join(' '))
    assert.match(code === 0 ? stdout : stderr, says)
  }
})
