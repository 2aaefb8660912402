import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Kysely } from 'kysely'
import type { Schema } from '#src/db/schema.ts'
import type { FailureKind } from '#src/webhooks/sending/attempt-failure.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { openTestDatabase } from '../../support/database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { printFigure } from '../../support/soak.ts'
import {
  flood,
  type ResponseReceiver,
  say,
  sayAndEnd,
  sayAndReset,
  sayByteByByte,
  sayForEver,
  startResponseReceiver,
  type Treatment,
} from './response-receiver.ts'
import { waitUntil } from './wait-until.ts'
import { aDispatcher, haveWebhooks, listAttempts, settledDeliveries, submit } from './webhook-world.ts'

const READ_BYTES = 16 * 1024
const KEPT_BYTES = 4 * 1024
/** The system hands over at most this much at once. */
const ONE_READ_BYTES = 64 * 1024
/** What may be under way between a receiver that writes a kilobyte at a time and one that stops reading. */
const UNDER_WAY_BYTES = 8 * 1024
/** How late a busy machine may be. */
const PATIENCE_MS = 2_000

interface Row {
  name: string
  /** What the receiver does; undefined when nobody listens. */
  treat: Treatment | undefined
  scheme?: 'http' | 'https'
  isTls?: boolean
  when?: 'request' | 'connection'
  outcome: 'delivered' | FailureKind
  status?: number
  /** The kept text; any when it is left out. */
  body?: string | RegExp | null
  headers?: Record<string, string>
  retryAt?: string
  /** The receiver writes a kilobyte at a time, so that what it sent shows what was read. */
  isPaced?: boolean
  webhookIsOff?: boolean
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
const status = (code: number, headers = '') =>
  say(`HTTP/1.1 ${code} Text\r\n${headers}content-length: 4\r\n\r\nbody`)
const bodiless = (code: number) => say(`HTTP/1.1 ${code} Text\r\n\r\n`)
const chunked = (body: string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`
const manyHeaders = Array.from({ length: 5_000 }, (_, n) => `x-${n}: 1\r\n`).join('')
const delivered = { outcome: 'delivered', status: 200 } as const
const brokenOff = { outcome: 'reset', status: 200 } as const
const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

// RFC 9110 §15.2: they announce the answer, and nobody has to have asked for them.
const INTERIM: Row[] = [
  ...[100, 102, 103, 199].map((code) => ({
    ...{ name: `${code}, then 200`, treat: say(`HTTP/1.1 ${code} Text\r\n\r\n${ok('body')}`) },
    ...{ ...delivered, body: 'body' },
  })),
  {
    ...{ name: '100 with headers, 103 and 100, then 200', ...delivered, body: 'body' },
    treat: say(`HTTP/1.0 100 Go\r\nx-a: 1\r\n\r\nHTTP/1.1 103 Hints\r\n\r\n${CONTINUE}${ok('body')}`),
  },
  {
    ...{ name: '100 byte by byte, then 200', ...delivered, body: 'body' },
    treat: sayByteByByte(CONTINUE + ok('body')),
  },
  { name: '200 byte by byte', ...delivered, body: 'body', treat: sayByteByByte(ok('body')) },
  {
    ...{ name: 'a body that looks like 100', ...delivered, body: CONTINUE },
    treat: say(ok(CONTINUE)),
  },
  {
    ...{ name: '100, then 503', outcome: 'status', status: 503, body: 'body' },
    treat: (socket) => {
      socket.write(CONTINUE)
      status(503)(socket)
    },
  },
  { name: '100, then the end', outcome: 'reset', body: null, treat: sayAndEnd(CONTINUE) },
  { name: '100, then nonsense', outcome: 'reset', body: null, treat: say(`${CONTINUE}SSH-2.0-x\r\n`) },
]

const STATUSES: Row[] = [
  {
    ...{ name: '101', outcome: 'reset', body: null },
    treat: say('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  },
  ...[200, 201, 202, 205, 299].map((code): Row => {
    return { name: `${code}`, treat: status(code), outcome: 'delivered', status: code, body: 'body' }
  }),
  { name: '204', treat: bodiless(204), outcome: 'delivered', status: 204, body: '' },
  ...[301, 302, 303, 307, 308].map((code): Row => {
    const treat = status(code, 'location: /other\r\n')
    return { name: `${code}`, treat, outcome: 'redirect', status: code, headers: { location: '/other' } }
  }),
  { name: '304', treat: bodiless(304), outcome: 'status', status: 304, body: '' },
  ...[300, 400, 401, 403, 404, 408, 409, 418, 500, 502, 504, 599, 999].map((code): Row => {
    return { name: `${code}`, treat: status(code), outcome: 'status', status: code, body: 'body' }
  }),
  { name: '410', treat: status(410), outcome: 'status', status: 410, webhookIsOff: true },
  {
    ...{ name: '429 with Retry-After in seconds', outcome: 'status', status: 429 },
    ...{ treat: status(429, 'retry-after: 120\r\n'), retryAt: '2026-11-20T12:02:00.000Z' },
  },
  {
    ...{ name: '429 with Retry-After as a date', outcome: 'status', status: 429 },
    treat: status(429, 'retry-after: Fri, 20 Nov 2026 13:00:00 GMT\r\n'),
    retryAt: '2026-11-20T13:00:00.000Z',
  },
  {
    ...{ name: '503 with Retry-After', outcome: 'status', status: 503 },
    ...{ treat: status(503, 'retry-after: 7\r\n'), retryAt: '2026-11-20T12:00:07.000Z' },
  },
]

const CONNECTIONS: Row[] = [
  { name: 'nobody listens', treat: undefined, outcome: 'refused', body: null },
  {
    ...{ name: 'reset before the request', when: 'connection', outcome: 'reset', body: null },
    treat: (socket) => socket.resetAndDestroy(),
  },
  { name: 'reset after the request', treat: (s) => s.resetAndDestroy(), outcome: 'reset', body: null },
  {
    name: 'reset within the headers',
    treat: sayAndReset('HTTP/1.1 200 OK\r\nx-a'),
    outcome: 'reset',
    body: null,
  },
  {
    ...{ name: 'reset within the body', ...brokenOff },
    treat: sayAndReset('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
  },
  { name: 'closed without an answer', treat: sayAndEnd(''), outcome: 'reset', body: null },
  { name: 'half-closed within the headers', treat: sayAndEnd('HTTP/1.1 200'), outcome: 'reset', body: null },
  {
    ...{ name: 'half-closed within the body', ...brokenOff, body: 'abc' },
    treat: sayAndEnd('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'),
  },
  {
    ...{ name: 'half-closed after an answer without a length', ...delivered, body: 'abc' },
    treat: sayAndEnd('HTTP/1.1 200 OK\r\n\r\nabc'),
  },
  {
    name: 'self-signed certificate',
    scheme: 'https',
    isTls: true,
    treat: say(ok('')),
    outcome: 'tls',
    body: null,
  },
  {
    ...{ name: 'plain http on an https address', scheme: 'https', when: 'connection', outcome: 'tls' },
    ...{ treat: sayAndEnd('HTTP/1.1 400 Bad Request\r\n\r\n'), body: null },
  },
  {
    ...{ name: 'cut within the handshake', scheme: 'https', outcome: 'reset', body: null },
    treat: (socket) => socket.resetAndDestroy(),
  },
  { name: 'plain http to a TLS port', isTls: true, treat: say(ok('')), outcome: 'reset', body: null },
]

const ANSWERS: Row[] = [
  {
    ...{ name: 'a body of 100,000 bytes', ...delivered, body: 'a'.repeat(KEPT_BYTES) },
    treat: say(ok('a'.repeat(100_000))),
  },
  {
    ...{ name: 'a body cut within a character', ...delivered, body: 'x'.repeat(KEPT_BYTES - 1) },
    treat: say(`HTTP/1.1 200 OK\r\ncontent-length: ${KEPT_BYTES + 1}\r\n\r\n${'x'.repeat(KEPT_BYTES - 1)}é`),
  },
  { name: 'chunks', treat: say(chunked('3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')), ...delivered, body: 'abcde' },
  {
    ...{ name: 'an endless body', ...delivered, body: 'x'.repeat(KEPT_BYTES), isPaced: true },
    treat: sayForEver('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(1_024)),
  },
  {
    ...{ name: 'an endless body of an error', outcome: 'status', status: 500, isPaced: true },
    treat: sayForEver('HTTP/1.1 500 No\r\n\r\n', 'x'.repeat(1_024)),
  },
  {
    ...{ name: 'a flood', ...delivered, body: 'x'.repeat(KEPT_BYTES) },
    treat: flood('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(ONE_READ_BYTES)),
  },
  {
    ...{ name: '5,000 headers', outcome: 'too_large', body: null },
    treat: say(`HTTP/1.1 200 OK\r\n${manyHeaders}content-length: 0\r\n\r\n`),
  },
  {
    ...{ name: 'one header of 100,000 bytes', outcome: 'too_large', body: null },
    treat: say(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(100_000)}\r\ncontent-length: 0\r\n\r\n`),
  },
  {
    ...{ name: 'endless headers', outcome: 'too_large', body: null, isPaced: true },
    treat: sayForEver('HTTP/1.1 200 OK\r\n', `x-a: ${'a'.repeat(1_017)}\r\n`),
  },
  {
    ...{ name: 'endless 103', outcome: 'too_large', body: null, isPaced: true },
    treat: sayForEver('', `HTTP/1.1 103 Hints\r\nlink: ${'a'.repeat(1_000)}\r\n\r\n`),
  },
  {
    ...{ name: 'endless 100', outcome: 'too_large', body: null, isPaced: true },
    treat: sayForEver('', `HTTP/1.1 100 Continue\r\nlink: ${'a'.repeat(1_000)}\r\n\r\n`),
  },
  {
    ...{ name: 'endless extensions of a chunk', ...delivered, body: '', isPaced: true },
    treat: sayForEver(chunked('3;'), 'a'.repeat(1_024)),
  },
  {
    ...{ name: 'endless chunks of one byte with extensions', ...delivered, body: /^x+$/, isPaced: true },
    treat: sayForEver(chunked(''), `1;${'a'.repeat(1_000)}\r\nx\r\n`),
  },
  {
    ...{ name: 'endless trailers', ...delivered, body: 'abc', isPaced: true },
    treat: sayForEver(chunked('3\r\nabc\r\n0\r\n'), `x-a: ${'a'.repeat(1_000)}\r\n`),
  },
  {
    ...{ name: 'a gzip bomb, which nobody unpacks', ...delivered },
    headers: { 'content-encoding': 'gzip' },
    body: new TextDecoder()
      .decode(bomb.subarray(0, KEPT_BYTES), { stream: true })
      .replaceAll('\0', '\u{fffd}'),
    treat: (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      socket.write(bomb)
    },
  },
  {
    ...{ name: 'a length that is too short', ...delivered, body: 'abc' },
    treat: say('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdef'),
  },
  {
    ...{ name: 'a length that is too long', ...brokenOff, body: 'abc' },
    treat: sayAndEnd('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
  },
  {
    ...{ name: 'a length that is no number', outcome: 'reset', body: null },
    treat: say('HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\nabc'),
  },
  {
    ...{ name: 'two lengths', outcome: 'reset', body: null },
    treat: say('HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabcd'),
  },
  { name: 'a chunk without a length', treat: say(chunked('zz\r\nabc\r\n')), ...brokenOff },
  { name: 'chunks that break off', treat: sayAndEnd(chunked('9\r\nabc')), ...brokenOff },
  { name: 'HTTP/0.9', treat: sayAndEnd('<html>hello</html>'), outcome: 'reset', body: null },
  { name: 'another protocol', treat: sayAndEnd('SSH-2.0-x\r\n'), outcome: 'reset', body: null },
]

const HANGING: Row[] = [
  { name: 'no answer', treat: () => {}, outcome: 'timeout', body: null },
  { name: '103 and no answer', treat: say('HTTP/1.1 103 Hints\r\n\r\n'), outcome: 'timeout', body: null },
  { name: '100 and no answer', treat: say(CONTINUE), outcome: 'timeout', body: null },
  {
    ...{ name: 'headers that drip', outcome: 'timeout', body: null },
    treat: sayForEver('HTTP/1.1 200 OK\r\nx-a: ', 'a', { everyMs: 50 }),
  },
  {
    ...{ name: 'a body that drips', outcome: 'timeout', status: 200, body: /^\.+$/ },
    treat: sayForEver('HTTP/1.1 200 OK\r\n\r\n', '.', { everyMs: 50 }),
  },
  {
    ...{ name: 'a body that stops', outcome: 'timeout', status: 500, body: 'abc' },
    treat: say('HTTP/1.1 500 No\r\ncontent-length: 10\r\n\r\nabc'),
  },
  { name: 'a handshake that hangs', scheme: 'https', treat: () => {}, outcome: 'timeout', body: null },
]

const NOW = new Date('2026-11-20T12:00:00.000Z')

interface Delivered {
  row: Row
  receiver: ResponseReceiver | undefined
  attempt: Awaited<ReturnType<typeof listAttempts>>[number]
  delivery: Awaited<ReturnType<typeof attemptedDeliveries>>[number]
  bytesRead: number
  webhookIsOn: boolean
}

/** Sends one delivery to a receiver of each row, through the whole dispatcher. */
async function deliverToAll(t: TestContext, rows: readonly Row[], timeoutMs: number): Promise<Delivered[]> {
  const db = await openTestDatabase(t)
  const readBytes = countBytesRead(t)
  const receivers = await Promise.all(
    rows.map(({ treat, ...row }) => treat && startResponseReceiver(t, treat, row)),
  )
  const urls = rows.map(
    ({ scheme = 'http' }, index) => `${scheme}://127.0.0.1:${receivers[index]?.port ?? 1}/`,
  )
  const webhooks = await haveWebhooks(
    db,
    ...rows.map((row, index) => ({ name: row.name, url: urls[index], max_retries: row.retryAt ? 1 : 0 })),
  )
  await submit(db)
  // Fewer slots than receivers: all of them are served only if each gives its slot back.
  const options = { timeoutMs, maxInFlight: 4, now: () => NOW, random: () => 0.5, retryScheduleMs: [1] }
  aDispatcher(t, db, options).dispatcher.start()
  const deliveries = await attemptedDeliveries(db, rows.length)
  const attempts = await listAttempts(db)
  const after = await db.selectFrom('form_webhooks').select(['id', 'enabled']).execute()
  return rows.map((row, index) => {
    const { id } = webhooks[index] ?? { id: 0 }
    const delivery = deliveries.find(({ webhook_id }) => webhook_id === id)
    const attempt = attempts.find(({ delivery_id }) => delivery_id === delivery?.id)
    assert.ok(delivery && attempt, row.name)
    const receiver = receivers[index]
    const webhookIsOn = after.some((webhook) => webhook.id === id && webhook.enabled === 1)
    return { row, receiver, attempt, delivery, bytesRead: readBytes(receiver?.port ?? 1), webhookIsOn }
  })
}

function attemptedDeliveries(db: Kysely<Schema>, count: number) {
  return waitUntil(`${count} attempts`, async () => {
    const rows = await db.selectFrom('webhook_deliveries').selectAll().execute()
    return rows.length === count && rows.every((row) => row.attempt_count === 1) && rows
  })
}

/** Counts what our side takes out of its sockets, by the port of the receiver. */
function countBytesRead(t: TestContext): (port: number) => number {
  const sockets = new Map<number, Socket>()
  const onConnected = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    sockets.set(socket.remotePort ?? 0, socket)
  }
  subscribe('undici:client:connected', onConnected)
  t.after(() => unsubscribe('undici:client:connected', onConnected))
  return (port) => sockets.get(port)?.bytesRead ?? 0
}

function checkLog({ row, attempt, delivery, webhookIsOn }: Delivered) {
  const outcome = attempt.failure_kind ?? 'delivered'
  assert.deepEqual([outcome, attempt.response_status], [row.outcome, row.status ?? null])
  if (row.body instanceof RegExp) assert.match(attempt.response_body ?? '', row.body)
  else if (row.body !== undefined) assert.equal(attempt.response_body, row.body)
  assert.ok((attempt.response_body ?? '').length <= KEPT_BYTES)
  const headers = JSON.parse(attempt.response_headers_json ?? '{}')
  for (const [name, value] of Object.entries(row.headers ?? {})) assert.equal(headers[name], value)
  assert.equal(attempt.failure_message === null, row.outcome === 'delivered')
  assert.equal(delivery.next_attempt_at, row.retryAt ?? null)
  assert.equal(webhookIsOn, !row.webhookIsOff)
}

function checkBytes({ row, receiver, bytesRead }: Delivered) {
  assert.ok(bytesRead <= READ_BYTES + ONE_READ_BYTES, `${bytesRead} bytes were read`)
  if (row.isPaced)
    assert.ok((receiver?.bytesSent() ?? 0) <= READ_BYTES + UNDER_WAY_BYTES, `${receiver?.bytesSent()}`)
}

for (const [title, rows, timeoutMs] of [
  ['answers that announce one', INTERIM, 10_000],
  ['statuses', STATUSES, 10_000],
  ['connections', CONNECTIONS, 10_000],
  ['answers that end or are cut short', ANSWERS, 10_000],
  ['answers that never end', HANGING, 1_000],
] as const) {
  test(`contract §6: the response table, ${title}`, async (t) => {
    const all = await deliverToAll(t, rows, timeoutMs)
    for (const delivered of all) {
      await t.test(`${delivered.row.name}: ${delivered.row.outcome}`, async () => {
        checkLog(delivered)
        checkBytes(delivered)
        assertWithin(delivered.attempt.duration_ms, Math.min(timeoutMs, PATIENCE_MS) + PATIENCE_MS)
        assert.ok((delivered.receiver?.connectionCount() ?? 0) <= 1)
        if (timeoutMs < PATIENCE_MS)
          await waitUntil('the end of the connection', async () => delivered.receiver?.openCount() === 0)
      })
    }
    const sent = all.filter(({ row }) => row.isPaced).map(({ receiver }) => receiver?.bytesSent() ?? 0)
    if (sent.length > 0)
      printFigure(t, `at most ${Math.max(...sent)} bytes were taken of ${sent.length} answers without end`)
  })
}

test('contract §6: a receiver that sends 100 first gets every delivery on one connection', async (t) => {
  const receiver = await startReceiver(t, (response) => {
    response.writeContinue()
    response.writeHead(200).end('thanks')
  })
  const db = await openTestDatabase(t)
  await haveWebhooks(db, { name: 'polite', url: receiver.url, max_retries: 0 })
  for (let count = 0; count < 5; count += 1) await submit(db)
  aDispatcher(t, db, { maxInFlight: 1 }).dispatcher.start()
  const rows = await settledDeliveries(db)
  assert.deepEqual([...new Set(rows.map(({ status }) => status))], ['delivered'])
  assert.equal(receiver.requests.length, 5)
  assert.ok(receiver.connectionCount() < 5, `${receiver.connectionCount()} connections`)
})
