import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { copyFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/database.ts'
import { skipWithout } from '../support/needed-tool.ts'
import { ownEnvironment } from '../support/own-environment.ts'
import { freePort, PROJECT_DIR, runScript, waitFor } from '../support/running-site.ts'
import { printFigure } from '../support/soak.ts'
import { VALID_ANSWERS } from '../support/submission-server.ts'

const DISK_BYTES = 16 * 1024 * 1024
const STORED = 20

const START = `${process.execPath} ${join(PROJECT_DIR, 'scripts/start.ts')}`

const canMount = spawnSync('unshare', ['--mount', '--map-root-user', 'true']).status === 0
const withoutMount = skipWithout(canMount, 'a file system of its own needs unshare and the right to mount')

test('a full disk refuses submissions with 503, loses none, and accepts them once there is space', {
  skip: withoutMount,
}, async (t) => {
  const { server, url, disk } = await startOnSmallDisk(t)
  for (let count = 0; count < STORED; count += 1) assert.equal((await post(url)).status, 201)
  await fillDisk(disk)
  const answers = await Promise.all(Array.from({ length: 200 }, () => post(url)))
  const refused = answers.filter(({ status }) => status === 503)
  const accepted = answers.filter(({ status }) => status === 201)
  assert.ok(refused.length > 0, 'the disk was never full')
  assert.equal(refused.length + accepted.length, answers.length)
  assert.ok(refused.every(({ headers }) => headers.get('retry-after')))
  assert.equal(server.exitCode, null)

  await rm(join(disk, 'filler'))
  assert.equal((await post(url)).status, 201)
  const copy = temporaryFolder(t)
  for (const name of ['signpost.db', 'signpost.db-wal']) await copyFile(join(disk, name), join(copy, name))
  const file = new SqliteDatabase(join(copy, 'signpost.db'))
  atEnd(t, () => file.close())
  const count = file.prepare('select count(*) from form_submissions').pluck().get()
  assert.equal(count, STORED + accepted.length + 1)
  assert.equal(file.pragma('integrity_check', { simple: true }), 'ok')
  printFigure(t, `${refused.length} refused, 0 of ${STORED + accepted.length + 1} acknowledged lost`)
})

test('a disk that fills up during a publish leaves the old site intact, and the next publish succeeds', {
  skip: withoutMount,
}, async (t) => {
  const dataDir = temporaryFolder(t)
  const database = join(temporaryFolder(t), 'signpost.db')
  const fixture = join(PROJECT_DIR, 'tests/fixtures/publish-on-full-disk.ts')
  const publish = `${process.execPath} ${fixture} ${database} ${dataDir}`
  const { code, output } = await runInMount(
    `mount -t tmpfs -o size=${DISK_BYTES} tmpfs ${dataDir}`,
    dataDir,
    publish,
  )
  assert.equal(code, 0, output)
  const { failed, published } = JSON.parse(output)
  assert.ok(failed > 0 && published > 0, output)
  printFigure(t, `${failed} publishes failed, the old site whole after each`)
})

test('a read-only folder stops the start with a one-sentence error', {
  skip: withoutMount,
}, async (t) => {
  const dataDir = temporaryFolder(t)
  const { code, output } = await runInMount(`mount -t tmpfs -o ro tmpfs ${dataDir}`, dataDir)
  assert.equal(code, 1)
  assert.match(output, /DATA_DIR/)
  assert.equal(output.trim().split('\n').length, 1, output)
})

test('a command that can’t create its folder ends with a one-sentence error', async (t) => {
  const dataDir = temporaryFolder(t)
  assert.equal((await runScript('migrate.ts', { dataDir })).code, 0)
  for (const [script, ...rest] of [
    ['backup.ts', '/proc/signpost/copy'],
    ['content-export.ts', '--out', '/proc/signpost/content'],
  ] as const) {
    const { code, output } = await runScript(script, { dataDir, arguments: rest })
    assert.deepEqual([script, code, output.trim().split('\n').length], [script, 1, 1], output)
  }
})

test('a damaged database stops the start and the error says what to do', async (t) => {
  for (const damage of [
    (path: string) => writeFile(path, 'this is a text and no database, but long enough to be taken for one'),
    (path: string) => truncate(path, 6_000),
  ]) {
    const dataDir = temporaryFolder(t)
    assert.equal((await runScript('migrate.ts', { dataDir })).code, 0)
    await damage(join(dataDir, 'signpost.db'))
    const { code, output } = await runScript('start.ts', { dataDir, port: await freePort() })
    assert.equal(code, 1)
    assert.match(output, /npm run restore/)
    assert.equal(output.trim().split('\n').length, 1, output)
  }
})

/** The program without pages, its data folder on a disk of 16 MiB that only it has. */
async function startOnSmallDisk(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const port = await freePort()
  const mount = `mount -t tmpfs -o size=${DISK_BYTES} tmpfs ${dataDir}`
  const fixture = join(PROJECT_DIR, 'tests/fixtures/submission-server.ts')
  const server = spawnInMount(`${mount} && exec ${process.execPath} ${fixture}`, { dataDir, port })
  atEnd(t, () => server.kill('SIGKILL'))
  let output = ''
  server.stdout?.on('data', (chunk) => (output += chunk))
  await waitFor(() => output.includes('listening') || server.exitCode !== null, 30_000)
  assert.match(output, /listening/)
  // Other processes see that disk through the eyes of the one that has it.
  return { server, url: `http://127.0.0.1:${port}`, disk: `/proc/${server.pid}/root${dataDir}` }
}

function spawnInMount(command: string, { dataDir, port }: { dataDir: string; port: number }): ChildProcess {
  const url = `http://127.0.0.1:${port}`
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SITE_URL: url,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
  }
  return spawn('unshare', ['--mount', '--map-root-user', 'sh', '-c', command], {
    cwd: PROJECT_DIR,
    env: ownEnvironment(environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function runInMount(mount: string, dataDir: string, command = START) {
  const child = spawnInMount(`${mount} && exec ${command}`, {
    dataDir,
    port: await freePort(),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  return { code, output }
}

async function fillDisk(disk: string) {
  const piece = Buffer.alloc(64 * 1024)
  const filler = join(disk, 'filler')
  for (let size = 0; size < DISK_BYTES; size += piece.length) {
    const isFull = await writeFile(filler, piece, { flag: 'a' }).then(
      () => false,
      () => true,
    )
    if (isFull) return
  }
}

function post(url: string) {
  return fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...VALID_ANSWERS, bottleneck: 'x'.repeat(900) }),
  })
}
