import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { Pool } from 'undici'
import { connectSqlite } from '#src/db/connect.ts'
import { FIELD_TYPE_NAMES } from '#src/forms/field-types/field-types.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import type { LongestTurn } from '../../support/longest-turn.ts'
import { ownEnvironment } from '../../support/own-environment.ts'
import { freePort, PROJECT_DIR, waitFor } from '../../support/running-site.ts'
import { printFigure } from '../../support/soak.ts'

// `SOAK=1` posts as many as the promise names.
const BODIES = process.env.SOAK ? 20_000 : 1_000
// So few that the work of one is seen, not that of a queue.
const AT_ONCE = 4
// The promise is for a machine that does nothing else; beside other test files the same work takes longer.
const HELD_MS = process.env.SOAK ? 50 : 150
const DECLARED = new Set([
  ...['full_name', 'email', 'phone', 'role', 'clients_managed', 'bottleneck', 'photo'],
  ...FIELD_TYPE_NAMES,
])
const BOUNDARY = 'edge'

const name = fc.oneof(
  fc.constantFrom(...DECLARED, 'website', '_id', '_page', '_t', '_v', '_altcha', '__proto__', 'constructor'),
  fc.string({ maxLength: 20 }),
)
const text = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constantFrom('a@b.co', '2026-11-21', 'https://a.example/', '2', `${'a'.repeat(60)}!`),
)
const value = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }))

const json = fc.dictionary(name, fc.oneof(value, fc.object())).map((body) => JSON.stringify(body))
const urlencoded = fc
  .array(fc.tuple(name, text), { maxLength: 12 })
  .map((pairs) => pairs.map((pair) => pair.map((part) => part.replace(/[&=]/g, '%26')).join('=')).join('&'))
const fileName = fc.oneof(
  fc.constantFrom(
    '; filename="a.png"',
    '; filename="../../a.txt"',
    '; filename=""',
    "; filename*=UTF-8''%00.pdf",
  ),
  fc.constant(''),
)
const multipart = fc
  .array(fc.tuple(fc.oneof(name, fc.constant('photo')), text, fileName), { maxLength: 8 })
  .map((parts) =>
    parts
      .map(
        ([field, content, file]) =>
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${file}\r\n\r\n${content}\r\n`,
      )
      .join('')
      .concat(`--${BOUNDARY}--\r\n`),
  )
const anything = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

const rightAnswers = new URLSearchParams({
  ...{ full_name: 'Ann', email: 'ann@example.com', phone: '+1 512 555 0100', role: 'owner' },
}).toString()

const post = fc.record({
  form: fc.constantFrom('waitlist', 'files', 'everything'),
  type: fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    `multipart/form-data; boundary=${BOUNDARY}`,
    'multipart/form-data',
    'text/plain',
  ),
  accept: fc.constantFrom('application/json', 'text/html', '*/*'),
  // Now and then the body is not what its type says.
  body: fc.oneof(json, urlencoded, multipart, anything, fc.constant(rightAnswers)),
})

test('reliability: no body causes a 5xx, blocks the event loop, or stores an undeclared field', async (t) => {
  const server = await startWatchedServer(t)
  const pool = new Pool(server.url, { connections: AT_ONCE })
  atEnd(t, () => pool.close())
  const posts = fc.sample(post, { numRuns: BODIES, seed: 20_261_121 }).values()
  const statuses = new Map<number, number>()

  async function postInTurn() {
    for (const { form, type, accept, body } of posts) {
      const { statusCode, body: answer } = await pool.request({
        method: 'POST',
        path: `/api/forms/${form}/submissions`,
        headers: { 'content-type': type, accept },
        body: Buffer.from(body),
      })
      await answer.dump()
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, postInTurn))
  const { ownMs, clockMs } = await server.end()

  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500),
    [],
  )
  assert.ok(
    [201, 303, 400, 415, 422].every((status) => statuses.has(status)),
    JSON.stringify([...statuses]),
  )
  const db = connectSqlite(server.databaseFile)
  atEnd(t, () => db.destroy())
  const rows = await db.selectFrom('form_submissions').select('data_json').execute()
  const names = new Set(rows.flatMap((row) => Object.keys(JSON.parse(row.data_json))))
  assert.deepEqual(
    [...names].filter((stored) => !DECLARED.has(stored)),
    [],
  )
  assert.ok(FIELD_TYPE_NAMES.every((type) => names.has(type)))
  printFigure(t, `${BODIES} bodies: held ${ownMs.toFixed(0)} ms of its own, ${clockMs.toFixed(0)} ms elapsed`)
  assertWithin(ownMs, HELD_MS)
})

async function startWatchedServer(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SITE_URL: url,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
  }
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'tests/fixtures/watched-server.ts')], {
    env: ownEnvironment(settings),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  atEnd(t, () => child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await waitFor(() => output.includes('listening'), 60_000)
  return {
    url,
    databaseFile: join(dataDir, 'signpost.db'),
    async end(): Promise<LongestTurn> {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      await closed
      return JSON.parse(output.split('\n')[1] ?? '')
    },
  }
}
