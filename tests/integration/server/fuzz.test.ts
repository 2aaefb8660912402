import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import fc from 'fast-check'
import { Pool } from 'undici'
import { startFront } from '../../support/front.ts'

// `SOAK=1` posts as many as the promise names.
const BODIES = process.env.SOAK ? 20_000 : 2_000
const AT_ONCE = 16
const DECLARED = new Set(['full_name', 'email', 'phone', 'role', 'clients_managed', 'bottleneck'])
const BOUNDARY = 'edge'

const name = fc.oneof(
  fc.constantFrom(...DECLARED, 'website', '_id', '_page', '_t', '_v', '_altcha', '__proto__', 'constructor'),
  fc.string({ maxLength: 20 }),
)
const text = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.constant('a@b.co'),
)
const value = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }))

const json = fc.dictionary(name, fc.oneof(value, fc.object())).map((body) => JSON.stringify(body))
const urlencoded = fc
  .array(fc.tuple(name, text), { maxLength: 12 })
  .map((pairs) => pairs.map((pair) => pair.map((part) => part.replace(/[&=]/g, '%26')).join('=')).join('&'))
const multipart = fc.array(fc.tuple(name, text), { maxLength: 8 }).map((parts) =>
  parts
    .map(
      ([field, content]) =>
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${content}\r\n`,
    )
    .join('')
    .concat(`--${BOUNDARY}--\r\n`),
)
const anything = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))

const post = fc.record({
  type: fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    `multipart/form-data; boundary=${BOUNDARY}`,
    'multipart/form-data',
    'text/plain',
  ),
  accept: fc.constantFrom('application/json', 'text/html', '*/*'),
  // Now and then the body is not what its type says.
  body: fc.oneof(json, urlencoded, multipart, anything),
})

test('no body makes a 5xx or stores a name that the form does not declare', async (t) => {
  const { app, url } = await startFront(t)
  const pool = new Pool(url, { connections: AT_ONCE })
  t.after(() => pool.close())
  const posts = fc.sample(post, { numRuns: BODIES, seed: 20_261_121 }).values()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const statuses = new Map<number, number>()

  async function postInTurn() {
    for (const { type, accept, body } of posts) {
      const { statusCode, body: answer } = await pool.request({
        method: 'POST',
        path: '/api/forms/waitlist/submissions',
        headers: { 'content-type': type, accept },
        body: Buffer.from(body),
      })
      await answer.dump()
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
  }
  delay.enable()
  await Promise.all(Array.from({ length: AT_ONCE }, postInTurn))
  delay.disable()

  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500),
    [],
  )
  assert.ok(
    [400, 415, 422].every((status) => statuses.has(status)),
    JSON.stringify([...statuses]),
  )
  const rows = await app.db.selectFrom('form_submissions').select('data_json').execute()
  const names = new Set(rows.flatMap((row) => Object.keys(JSON.parse(row.data_json))))
  assert.deepEqual(
    [...names].filter((stored) => !DECLARED.has(stored)),
    [],
  )
  t.diagnostic(
    `${BODIES} bodies; longest pause of the loop ${(delay.max / 1e6).toFixed(0)} ms, with the load in it`,
  )
})
