import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import SqliteDatabase from 'better-sqlite3'
import { atEnd } from '../support/at-end.ts'
import { temporaryFolder } from '../support/database.ts'
import { startNginx, withoutNginx } from '../support/nginx.ts'
import { aPartOfTheExample } from '../support/part-of-example.ts'
import { collectOutput, freePort, PROJECT_DIR, scriptEnvironment, waitFor } from '../support/running-site.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { VALID_ANSWERS } from '../support/submission-server.ts'

const RESTARTS = soakLength(2, 50)
const AT_ONCE = 8
const POSTS_BETWEEN = 40
const START_DEADLINE_MS = 60_000

// What systemd does for signpost.socket: it keeps the listening socket open, and hands it to each new process as fd 3.
const SUPERVISOR = `
trap 'ending=1' TERM
while [ -z "$ending" ]; do
  LISTEN_FDS=1 sh -c 'LISTEN_PID=$$ exec "$NODE" scripts/start.ts' &
  child=$!
  echo "pid $child"
  wait $child
done`

test('a restart behind nginx with keep-alive loses no post', { skip: withoutNginx }, async (t) => {
  const dataDir = temporaryFolder(t)
  const supervisor = await startSupervisor(t, dataDir)
  const proxyPort = await freePort()
  const url = `http://127.0.0.1:${proxyPort}`
  const upstream = `upstream signpost { server 127.0.0.1:${supervisor.port}; keepalive 16; keepalive_timeout 4s; }`
  const location = `location / { proxy_pass http://signpost; proxy_http_version 1.1; proxy_set_header Connection "";
    proxy_set_header Host 127.0.0.1:${supervisor.port}; }`
  await startNginx(t, { http: `${upstream} server { listen 127.0.0.1:${proxyPort}; ${location} }`, url })

  const statuses = new Map<number, number>()
  const acknowledged: string[] = []
  let isEnding = false
  const visitors = Array.from({ length: AT_ONCE }, async () => {
    while (!isEnding) {
      const id = randomUUID()
      const status = await postLead(url, id)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201) acknowledged.push(id)
    }
  })
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const enough = acknowledged.length + POSTS_BETWEEN
    await waitFor(() => acknowledged.length > enough, START_DEADLINE_MS)
    await supervisor.restart()
  }
  isEnding = true
  await Promise.all(visitors)

  assert.deepEqual([...statuses.keys()], [201], supervisor.output())
  const file = new SqliteDatabase(join(dataDir, 'signpost.db'), { readonly: true })
  t.after(() => file.close())
  const stored = new Set(file.prepare('select client_id from form_submissions').pluck().all())
  assert.deepEqual(
    acknowledged.filter((id) => !stored.has(id)),
    [],
  )
  printFigure(t, `0 of ${acknowledged.length} posts answered with 502 or reset in ${RESTARTS} restarts`)
})

async function startSupervisor(t: TestContext, dataDir: string) {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const environment = { NODE: process.execPath }
  const child = spawn('sh', ['-c', SUPERVISOR], {
    cwd: PROJECT_DIR,
    env: scriptEnvironment({ dataDir, contentDir: aPartOfTheExample(t), port, environment }),
    stdio: ['ignore', 'pipe', 'pipe', descriptorOf(listener)],
  })
  listener.close()
  const output = collectOutput(...[child.stdout, child.stderr].filter((stream) => stream !== null))
  const serverPid = () =>
    Number(
      output()
        .match(/pid (\d+)/g)
        ?.at(-1)
        ?.slice('pid '.length),
    )
  const starts = () => output().split('Signpost is ready').length - 1
  atEnd(t, async () => {
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    process.kill(serverPid(), 'SIGTERM')
    await closed
  })
  await waitFor(() => starts() > 0 || child.exitCode !== null, START_DEADLINE_MS)
  return {
    port,
    output,
    /** Ends the running process with SIGTERM and waits until the next one serves. */
    async restart() {
      const before = starts()
      process.kill(
        Number(
          output()
            .match(/pid (\d+)/g)
            ?.at(-1)
            ?.slice('pid '.length),
        ),
        'SIGTERM',
      )
      await waitFor(() => starts() > before || child.exitCode !== null, START_DEADLINE_MS)
    },
  }
}

// Node has no public way to hand a listening socket to a process that is not its own fork.
function descriptorOf(listener: Server): number {
  return (listener as unknown as { _handle: { fd: number } })._handle.fd
}

// 0 stands for a connection that broke.
async function postLead(url: string, id: string): Promise<number> {
  const answers = { ...VALID_ANSWERS, _id: id }
  const response = await fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answers),
  }).catch(() => undefined)
  await response?.arrayBuffer()
  return response?.status ?? 0
}
