import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { stopServer } from '#src/server/http/stop-server.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { startFront } from '../../support/front.ts'
import { waitFor } from '../../support/running-site.ts'

/** What the server says first to a request on this connection, which stays open; empty when it closes it instead. */
async function ask(socket: Socket): Promise<string> {
  socket.write(`HEAD /health HTTP/1.1\r\nHost: 127.0.0.1:${socket.remotePort}\r\n\r\n`)
  return new Promise((resolve) => {
    socket.once('data', (answer) => resolve(answer.toString().split('\r\n')[0] ?? ''))
    socket.once('close', () => resolve(''))
  })
}

async function open(port: number): Promise<Socket> {
  // A closed connection may be told as a reset.
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  return socket
}

function countConnections(server: Server): Promise<number> {
  return promisify(server.getConnections).call(server)
}

test('a slow client has 4.5 s for its headers, 6 s for its request, and 15 s when idle', async (t) => {
  const { server } = await startFront(t)
  const { headersTimeout, requestTimeout, timeout, maxRequestsPerSocket } = server
  assert.deepEqual(
    { headersTimeout, requestTimeout, timeout, maxRequestsPerSocket },
    { headersTimeout: 4_500, requestTimeout: 6_000, timeout: 15_000, maxRequestsPerSocket: 1_000 },
  )
})

test('an idle client is disconnected, but not while it waits for its answer', async (t) => {
  const isAsked = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()
  const { server, port } = await startFront(t, {
    aroundAdmin: (answer) => async (request, locals) => {
      isAsked.resolve()
      await mayAnswer.promise
      return answer(request, locals)
    },
  })
  server.timeout = 50
  const waiting = await open(port)
  const answered = once(waiting, 'data')
  waiting.write(`GET /admin/login HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await isAsked.promise
  for (const _ of [1, 2]) await once(server, 'timeout')
  const idle = await open(port)
  await once(idle, 'close')
  mayAnswer.resolve()
  assert.match(String(await answered), /^HTTP\/1\.1 [23]/)
  waiting.destroy()
})

test('URL and headers together are limited to 16 KiB', async (t) => {
  const { port } = await startFront(t)
  const answerTo = async (bytes: number) => {
    const socket = await open(port)
    const host = `127.0.0.1:${port}`
    const value = 'x'.repeat(bytes - '/healthHostX'.length - host.length)
    socket.write(`HEAD /health HTTP/1.1\r\nHost: ${host}\r\nX: ${value}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    socket.destroy()
    return Number(String(answer).split(' ')[1])
  }
  assert.equal(await answerTo(16 * 1_024 - 1), 200)
  assert.equal(await answerTo(16 * 1_024), 431)
})

test('connections beyond the limit are closed unread until a slot is free', async (t) => {
  const { server, port } = await startFront(t)
  assert.equal(server.maxConnections, 5_000)
  server.maxConnections = 2
  let dropped = 0
  server.on('drop', () => {
    dropped += 1
  })

  const [first, second] = [await open(port), await open(port)]
  assert.deepEqual([await ask(first), await ask(second)], ['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])
  const third = await open(port)
  assert.deepEqual([await ask(third), dropped], ['', 1])
  assert.deepEqual([await ask(first), await ask(second)], ['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])

  first.end()
  await waitFor(async () => (await countConnections(server)) === 1)
  const fourth = await open(port)
  assert.equal(await ask(fourth), 'HTTP/1.1 200 OK')
  for (const socket of [second, fourth]) socket.destroy()
})

test('shutdown waits 3 s for a stuck request, less than the 10 s of a container stop', async (t) => {
  const asked = Promise.withResolvers<void>()
  const aroundAdmin = () => () => {
    asked.resolve()
    return new Promise<never>(() => {})
  }
  const { server, app, port } = await startFront(t, { aroundAdmin })
  const socket = await open(port)
  const closed = once(socket, 'close')
  socket.write(`GET /admin HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await asked.promise
  const startedAt = performance.now()
  await stopServer(server, app)
  const tookMs = performance.now() - startedAt
  assert.ok(tookMs > 2_900, `${tookMs} ms`)
  assertWithin(tookMs, 9_000)
  await closed
})
