import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../support/database.ts'
import { freePort, PROJECT_DIR, waitFor } from '../../support/running-site.ts'

const POSTS = 300
const AT_ONCE = 8
const CALLS = 'pwrite64,write,writev,sendto,sendmsg,fsync,fdatasync'
const ANSWERS = { full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' }

const hasStrace = spawnSync('strace', ['-V']).status === 0
const skip = hasStrace ? false : 'strace is not installed; .ci/run installs it'

test('an acknowledged submission survives a power cut: no 201 leaves before the log is on disk', {
  skip,
}, async (t) => {
  const { acknowledged, early } = countEarlyAnswers(await traceServer(t, []))
  assert.ok(acknowledged >= POSTS)
  assert.equal(early, 0)
})

test('the same trace shows early answers when SQLite does not wait for the disk', { skip }, async (t) => {
  const { early } = countEarlyAnswers(await traceServer(t, ['--synchronous', '1']))
  assert.ok(early > POSTS / 2, `${early} early answers`)
})

/** Posts to a server under strace; returns its system calls in order. */
async function traceServer(t: TestContext, serverArguments: string[]): Promise<string> {
  const dataDir = temporaryFolder(t)
  const port = await freePort()
  const log = join(dataDir, 'strace.log')
  const tracing = ['-f', '-y', '-s', '24', '-o', log, '-e', `trace=${CALLS}`]
  const server = [
    process.execPath,
    join(PROJECT_DIR, 'tests/fixtures/submission-server.ts'),
    ...serverArguments,
  ]
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'silent',
  }
  const child = spawn('strace', [...tracing, ...server], {
    cwd: PROJECT_DIR,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...environment, RATE_LIMIT: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await waitFor(() => /pid \d+/.test(output), 60_000)
  await Promise.all(Array.from({ length: AT_ONCE }, () => postMany(port, Math.ceil(POSTS / AT_ONCE))))
  const closed = once(child, 'close')
  process.kill(Number(/pid (\d+)/.exec(output)?.[1]), 'SIGKILL')
  await closed
  return readFile(log, 'utf8')
}

async function postMany(port: number, count: number) {
  for (let posts = 0; posts < count; posts++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/forms/waitlist/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(ANSWERS),
    })
    assert.equal(response.status, 201)
    await response.body?.cancel()
  }
}

/** How many 201 were sent, and how many of them while the write-ahead log had bytes that were not synced. */
function countEarlyAnswers(trace: string) {
  let isDirty = false
  let acknowledged = 0
  let early = 0
  for (const line of trace.split('\n')) {
    const effect = effectOf(line)
    if (effect === 'answered') acknowledged += 1
    if (effect === 'answered' && isDirty) early += 1
    if (effect === 'written' || effect === 'synced') isDirty = effect === 'written'
  }
  return { acknowledged, early }
}

// A call of one thread may be cut in two by another's: its end counts.
function effectOf(line: string): 'written' | 'synced' | 'answered' | undefined {
  if (line.includes('HTTP/1.1 201')) return 'answered'
  if (/<\.\.\. (fsync|fdatasync) resumed>/.test(line)) return 'synced'
  if (!line.includes('signpost.db-wal') || line.includes('unfinished')) return undefined
  return line.includes('pwrite64(') ? 'written' : 'synced'
}
