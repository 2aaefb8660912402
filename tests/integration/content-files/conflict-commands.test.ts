import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { connectSqlite } from '#src/db/connect.ts'
import { temporaryFolder } from '../../support/database.ts'

const SCRIPTS = fileURLToPath(new URL('../../../scripts', import.meta.url))
const SENTENCE =
  /^Everything was synced except 1 conflict\. Resolve it in the admin at \/admin\/conflicts, or with --prefer file or --prefer database$/m

function run(cwd: string, script: string, ...args: string[]) {
  return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [join(SCRIPTS, script), ...args], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

// A folder with a page that changed in its file and in the admin, and a new page.
async function aFolderWithConflict(t: TestContext) {
  const folder = temporaryFolder(t)
  const write = (slug: string, title: string) => {
    mkdirSync(join(folder, 'content/pages'), { recursive: true })
    writeFileSync(join(folder, `content/pages/${slug}.md`), `---\ntitle: ${title}\n---\n`)
  }
  write('about', 'About')
  await run(folder, 'content-sync.ts')
  await query(folder, (db) =>
    db.updateTable('content_entries').set({ title: 'From the admin' }).where('slug', '=', 'about').execute(),
  )
  write('about', 'From the file')
  write('new', 'New')
  const titles = () =>
    query(folder, async (db) => {
      const rows = await db.selectFrom('content_entries').select('title').orderBy('slug').execute()
      return rows.map(({ title }) => title)
    })
  return { folder, titles }
}

async function query<T>(
  folder: string,
  work: (db: ReturnType<typeof connectSqlite>) => Promise<T>,
): Promise<T> {
  const db = connectSqlite(join(folder, 'data/signpost.db'))
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

test('contract §1 a sync with a conflict syncs the rest and fails with a one-sentence error', async (t) => {
  const { folder, titles } = await aFolderWithConflict(t)
  const { code, stdout, stderr } = await run(folder, 'content-sync.ts')
  assert.equal(code, 1)
  assert.match(stdout, /^Synced: 1 added, 0 changed/m)
  assert.match(stderr, /^pages\/about\.md: the file and the admin version both changed$/m)
  assert.match(stderr, SENTENCE)
  assert.deepEqual(await titles(), ['From the admin', 'New'])
  const mistyped = await run(
    folder,
    ...(['content-sync.ts', '--prefer', 'file', '--only', 'content/pages/about.md'] as const),
  )
  assert.equal(mistyped.code, 1, 'a path that is no file settles nothing and says so')
  assert.match(mistyped.stderr, /^There is no content file content\/pages\/about\.md\. /)
  const settled = await run(folder, 'content-sync.ts', '--prefer', 'file', '--only', 'pages/about.md')
  assert.equal(settled.code, 0)
  assert.deepEqual(await titles(), ['From the file', 'New'])
})

test('a start publishes the synced content and continues; a build reports the conflict at its end', async (t) => {
  const { folder } = await aFolderWithConflict(t)
  const started = await run(folder, 'build.ts', '--started-by', 'start')
  assert.equal(started.code, 0)
  assert.match(started.stderr, SENTENCE)
  assert.ok(existsSync(join(folder, 'data/current/site/new.html')))
  const built = await run(folder, 'build.ts')
  assert.equal(built.code, 1)
  assert.match(built.stderr, SENTENCE)
})

test('contract §1 --only without --prefer is wrong usage', async (t) => {
  const { code, stderr } = await run(temporaryFolder(t), 'content-sync.ts', '--only', 'pages/about.md')
  assert.equal(code, 2)
  assert.match(stderr, /--only needs --prefer/)
})
