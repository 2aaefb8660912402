import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { App } from '#src/app.ts'
import { endOnSignal } from '#src/server/end-program.ts'
import { linger } from '#src/server/http/request-body.ts'
import { createRequestCheck } from '#src/server/http/request-check.ts'
import { stopServer, watchAnswers } from '#src/server/http/stop-server.ts'

const check = createRequestCheck({
  ...{ siteUrl: 'https://example.com', adminUrl: 'https://example.com' },
  ...{ host: '127.0.0.1', port: 4321, formOrigins: [] },
})

function statusOf(url: string): number | undefined {
  const headers = { host: 'example.com' }
  const request = { method: 'GET', url, headers, headersDistinct: { host: ['example.com'] } }
  return check(request as unknown as IncomingMessage)?.status
}

test('an address has at most 2,048 characters', () => {
  assert.equal(statusOf('/'.padEnd(2_048, 'x')), undefined)
  assert.equal(statusOf('/'.padEnd(2_049, 'x')), 414)
})

test('a NUL is found under 12 layers of encoding, one more than Astro decodes', () => {
  const encoded = (layers: number) => `/%${'25'.repeat(layers - 1)}00`
  assert.deepEqual(
    [1, 11, 12, 13].map((layers) => statusOf(encoded(layers))),
    [400, 400, 400, undefined],
  )
})

/** A server whose sockets on its own side are in `sockets`, and whose answers end for `/idle` only. */
async function aServer(t: TestContext) {
  const server = createServer(({ url }, response) => {
    if (url === '/idle') response.end('done')
    else response.write('begun')
  })
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  watchAnswers(server)
  server.listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return { server, sockets, port: (server.address() as AddressInfo).port }
}

/** As much of the program as a stop asks for: nothing is under way but the requests. */
const IDLE_APP = {
  publishing: { stop() {} },
  openWork: { end: ({ requests }: { requests?: Promise<unknown> }) => requests },
  close: async () => {},
} as unknown as App

test('shutdown allows idle connections 1 s and busy ones 3 s', async (t) => {
  for (const [path, graceMs] of [
    ['/idle', 1_000],
    ['/open', 3_000],
  ] as const) {
    const { server, sockets, port } = await aServer(t)
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await once(client, 'data')
    const [socket] = sockets
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const stopped = stopServer(server, IDLE_APP)
    t.mock.timers.tick(graceMs - 1)
    assert.equal(socket?.destroyed, false, path)
    t.mock.timers.tick(1)
    assert.equal(socket?.destroyed, true, path)
    t.mock.timers.reset()
    await stopped
  }
})

test('after a refusal the rest of the body is read until 5 s of silence, for at most the given time', async (t) => {
  const { server, port } = await aServer(t)
  for (const { sendsEveryMs, endsAfterMs, longestMs } of [
    { sendsEveryMs: Number.POSITIVE_INFINITY, endsAfterMs: 5_000, longestMs: 30_000 },
    { sendsEveryMs: 4_000, endsAfterMs: 30_000, longestMs: 30_000 },
    { sendsEveryMs: 4_000, endsAfterMs: 5_000, longestMs: undefined },
  ]) {
    const client = connect(port, '127.0.0.1')
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n')
    const [request] = (await once(server, 'request')) as [IncomingMessage]
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let isOver = false
    const over = linger(request, longestMs).then(() => {
      isOver = true
    })
    for (let passedMs = 1_000; passedMs < endsAfterMs; passedMs += 1_000) {
      t.mock.timers.tick(1_000)
      if (passedMs % sendsEveryMs === 0) {
        client.write('x')
        await once(request, 'data')
      }
    }
    t.mock.timers.tick(999)
    await new Promise(setImmediate)
    assert.equal(isOver, false)
    t.mock.timers.tick(1)
    await over
    t.mock.timers.reset()
    client.destroy()
  }
})

test('after that, no timer waits for the rest, nor for a client that is gone', async (t) => {
  const { server, port } = await aServer(t)
  const client = connect(port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n')
  const [request] = (await once(server, 'request')) as [IncomingMessage]
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  await linger(request, 1)
  client.write('x')
  await once(request, 'data')
  assert.equal(timers(), before)
  const closed = Promise.withResolvers<void>()
  request.once('close', closed.resolve)
  client.destroy()
  await closed.promise
  t.mock.timers.enable({ apis: ['setTimeout'] })
  await linger(request)
})

test('a program that doesn’t end is killed after 9.5 s', async (t) => {
  const exits: unknown[] = []
  t.mock.method(process, 'exit', (code: unknown) => exits.push(code))
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const before = new Set<unknown>(signals.flatMap((signal) => process.listeners(signal)))
  const log = { error() {} }
  endOnSignal({ stop: () => new Promise<never>(() => {}), stillOpen: () => [], log })
  const [end] = process.listeners('SIGTERM').filter((one) => !before.has(one))
  t.after(() => {
    for (const signal of signals)
      for (const one of process.listeners(signal)) if (!before.has(one)) process.removeListener(signal, one)
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  end?.('SIGTERM')
  t.mock.timers.tick(9_499)
  assert.deepEqual(exits, [])
  t.mock.timers.tick(1)
  assert.deepEqual(exits, [1])
})
