import assert from 'node:assert/strict'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createDestinationPolicy } from '#src/webhooks/sending/destination-address.ts'
import { createDestinationAgent, type Resolve } from '#src/webhooks/sending/destination-agent.ts'
import { type Attempt, type AttemptRequest, sendAttempt } from '#src/webhooks/sending/send-attempt.ts'
import { assertWithin } from '../../support/assert-within.ts'
import { startReceiver } from '../../support/receiver.ts'
import { printFigure } from '../../support/soak.ts'
import { CERTIFICATE, PRIVATE_KEY } from './test-certificate.ts'

const LOOPBACK = ['127.0.0.0/8', '::1/128']

interface Sending extends Partial<AttemptRequest> {
  allow?: string[]
  resolve?: Resolve
  timeoutMs?: number
}

function aSender(t: TestContext, { allow = LOOPBACK, resolve, timeoutMs = 2_000 }: Sending = {}) {
  const agent = createDestinationAgent({ policy: createDestinationPolicy(allow), resolve, timeoutMs })
  t.after(() => agent.destroy())
  return (request: Partial<AttemptRequest>) => {
    const whole: AttemptRequest = { url: '', method: 'POST', headers: {}, body: '{}', ...request }
    return sendAttempt(agent, whole, { timeoutMs, now: () => new Date() })
  }
}

function send(t: TestContext, sending: Sending): Promise<Attempt> {
  const { allow: _allow, resolve: _resolve, timeoutMs: _timeoutMs, ...request } = sending
  return aSender(t, sending)(request)
}

const failureOf = (attempt: Attempt) => (attempt.kind === 'failed' ? attempt.failureKind : attempt.kind)

/** A TCP server that treats each connection as it likes. */
async function startSocketServer(t: TestContext, treat: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    treat(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as { port: number }).port}`
}

for (const status of [200, 201, 202, 204, 299]) {
  test(`contract §6: ${status} is delivered`, async (t) => {
    const { url } = await startReceiver(t, status)
    const attempt = await send(t, { url })
    assert.equal(attempt.kind, 'delivered')
    assert.equal(attempt.status, status)
  })
}

for (const status of [300, 304, 400, 401, 404, 410, 429, 500, 503]) {
  test(`contract §6: ${status} is a failure`, async (t) => {
    const { url } = await startReceiver(t, status)
    const attempt = await send(t, { url })
    assert.deepEqual([failureOf(attempt), attempt.status], ['status', status])
  })
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`contract §6: ${status} is a failure and isn’t followed`, async (t) => {
    const target = await startReceiver(t, 200)
    const { url } = await startReceiver(t, { status, headers: { location: target.url } })
    assert.equal(failureOf(await send(t, { url })), 'redirect')
    assert.equal(target.connectionCount(), 0)
  })
}

test('contract §6: method, path, headers, and body arrive unchanged', async (t) => {
  const receiver = await startReceiver(t, 200)
  const request = { method: 'PATCH', headers: { 'x-team': 'sales' }, body: '{"name":"Žofie"}' } as const
  await send(t, { url: `${receiver.url}/hook/a?x=1&y=%20#part`, ...request })
  const [received] = receiver.requests
  assert.equal(received?.method, 'PATCH')
  assert.equal(received?.path, '/hook/a?x=1&y=%20')
  assert.equal(received?.headers['x-team'], 'sales')
  assert.equal(received?.body, '{"name":"Žofie"}')
})

test('contract §6: GET has no body', async (t) => {
  const receiver = await startReceiver(t, 200)
  assert.equal((await send(t, { url: receiver.url, method: 'GET', body: null })).kind, 'delivered')
  assert.equal(receiver.requests[0]?.body, '')
})

test('contract §6: 4 KiB of a response are kept, with its headers except cookies', async (t) => {
  const headers = { 'set-cookie': 'session=1', 'x-trace': 'abc' }
  const { url } = await startReceiver(t, { status: 500, headers, body: `${'é'.repeat(3_000)}` })
  const attempt = await send(t, { url })
  assert.equal(attempt.responseBody, 'é'.repeat(2_048))
  assert.equal(attempt.responseHeaders?.['x-trace'], 'abc')
  assert.equal(attempt.responseHeaders?.['set-cookie'], undefined)
})

test('a response with NUL can be stored in PostgreSQL', async (t) => {
  const { url } = await startReceiver(t, { status: 200, body: 'a\0b' })
  assert.equal((await send(t, { url })).responseBody, 'a\u{fffd}b')
})

test('contract §6: an endless response is closed, and 4 KiB are kept', async (t) => {
  let isClosed = false
  const { url } = await startReceiver(t, (response) => {
    const pour = () => {
      while (!isClosed && response.write('x'.repeat(1_024)));
    }
    response.on('drain', pour).on('close', () => {
      isClosed = true
    })
    response.writeHead(200)
    pour()
  })
  const attempt = await send(t, { url })
  assert.equal(attempt.kind, 'delivered')
  assert.equal(attempt.responseBody?.length, 4_096)
  assertWithin(attempt.durationMs, 1_000)
})

test('a response with more than 16 KiB of headers is too large', async (t) => {
  const headers = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x-header-${n}`, 'x'.repeat(50)]))
  const { url } = await startReceiver(t, { status: 200, headers })
  assert.equal(failureOf(await send(t, { url })), 'too_large')
})

test('a receiver that never responds is given up at the deadline', async (t) => {
  const { url } = await startReceiver(t, () => {})
  const attempt = await send(t, { url, timeoutMs: 100 })
  assert.equal(failureOf(attempt), 'timeout')
  assertWithin(attempt.durationMs, 600)
})

test('a dripping response is given up at the deadline with its status recorded', async (t) => {
  const { url } = await startReceiver(t, (response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('.'), 10)
    response.on('close', () => clearInterval(drip))
  })
  const attempt = await send(t, { url, timeoutMs: 150 })
  assert.deepEqual([failureOf(attempt), attempt.status], ['timeout', 200])
  assertWithin(attempt.durationMs, 650)
  printFigure(t, `a dripping answer with a deadline of 150 ms ended after ${attempt.durationMs} ms`)
})

test('a resolver that never answers is given up at the deadline', async (t) => {
  const resolve = () => new Promise<string[]>(() => {})
  const attempt = await send(t, { url: 'https://hooks.example.test/', resolve, timeoutMs: 100 })
  assert.equal(failureOf(attempt), 'timeout')
})

test('a dropped connection is a reset', async (t) => {
  const address = await startSocketServer(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  assert.equal(failureOf(await send(t, { url: `http://${address}/` })), 'reset')
})

test('a truncated response is a reset with its status recorded', async (t) => {
  const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'
  const address = await startSocketServer(t, (socket) => socket.once('data', () => socket.end(answer)))
  const attempt = await send(t, { url: `http://${address}/` })
  assert.deepEqual([failureOf(attempt), attempt.status], ['reset', 200])
})

test('a response that isn’t HTTP is a reset', async (t) => {
  const address = await startSocketServer(t, (socket) =>
    socket.once('data', () => socket.end('SSH-2.0-x\r\n')),
  )
  assert.equal(failureOf(await send(t, { url: `http://${address}/` })), 'reset')
})

test('a closed port refuses the connection', async (t) => {
  assert.equal(failureOf(await send(t, { url: 'http://127.0.0.1:1/' })), 'refused')
})

test('a name is looked up by the system', async (t) => {
  const receiver = await startReceiver(t, 200)
  assert.equal((await send(t, { url: `http://localhost:${receiver.port}/` })).kind, 'delivered')
})

test('a name whose addresses all refuse names each of them', async (t) => {
  const resolve = async () => ['127.0.0.1', '127.0.0.2']
  const attempt = await send(t, { url: 'http://hooks.example.test:1/', resolve })
  assert.ok(attempt.kind === 'failed')
  assert.match(attempt.message, /ECONNREFUSED 127\.0\.0\.1:1; .*ECONNREFUSED 127\.0\.0\.2:1/)
})

test('a URL that can’t be read is a failure', async (t) => {
  const attempt = await send(t, { url: 'nope' })
  assert.ok(attempt.kind === 'failed')
  assert.match(attempt.message, /Invalid URL/)
})

test('https to an http-only port is a TLS failure', async (t) => {
  const { port } = await startReceiver(t, 200)
  assert.equal(failureOf(await send(t, { url: `https://127.0.0.1:${port}/` })), 'tls')
})

test('a handshake that hangs is given up at the deadline', async (t) => {
  const address = await startSocketServer(t, () => {})
  const attempt = await send(t, { url: `https://${address}/`, timeoutMs: 100 })
  assert.equal(failureOf(attempt), 'timeout')
  assertWithin(attempt.durationMs, 600)
})

async function startHttpsReceiver(t: TestContext): Promise<number> {
  const server = createHttpsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (_request, response) =>
    response.end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('an untrusted certificate is a TLS failure', async (t) => {
  const port = await startHttpsReceiver(t)
  const url = `https://hooks.example.test:${port}/`
  assert.equal(failureOf(await send(t, { url, resolve: async () => ['127.0.0.1'] })), 'tls')
})

test('over https the certificate is checked against the name, although the address is pinned', async (t) => {
  const port = await startHttpsReceiver(t)
  const before = getCACertificates('default')
  setDefaultCACertificates([CERTIFICATE])
  t.after(() => setDefaultCACertificates(before))
  const resolve = async () => ['127.0.0.1']
  assert.equal((await send(t, { url: `https://hooks.example.test:${port}/`, resolve })).kind, 'delivered')
  assert.equal(failureOf(await send(t, { url: `https://other.example.test:${port}/`, resolve })), 'tls')
  assert.equal(failureOf(await send(t, { url: `https://127.0.0.1:${port}/`, resolve })), 'tls')
})

for (const [name, resolve] of [
  ['fails', () => Promise.reject(new Error('ENOTFOUND'))],
  ['finds nothing', async () => []],
] as [string, Resolve][]) {
  test(`a name whose lookup ${name} is a DNS failure`, async (t) => {
    assert.equal(failureOf(await send(t, { url: 'https://hooks.example.test/', resolve })), 'dns')
  })
}

const SPELLINGS = [
  ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.1', '0X7F.0.0.1', '0177.0.0.1'],
  ...[
    '017700000001',
    '127.0.0.1.',
    '１２７.0.0.1',
    '127。0。0。1',
    '⑫7.0.0.1',
    '%31%32%37.0.0.1',
    '127.000.000.001',
  ],
  ...['0', '0.0.0.0', '0x0', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::]'],
  ...[
    '[::127.0.0.1]',
    '[0000:0000:0000:0000:0000:FFFF:7F00:0001]',
    '127.255.255.254',
    '[64:ff9b::127.0.0.1]',
  ],
]

for (const host of SPELLINGS) {
  for (const scheme of ['http', 'https']) {
    test(`no connection is opened to ${scheme}://${host}`, async (t) => {
      const receiver = await startReceiver(t, 200)
      const attempt = await send(t, { url: `${scheme}://${host}:${receiver.port}/`, allow: [] })
      assert.equal(failureOf(attempt), 'blocked_address')
      assert.equal(receiver.connectionCount(), 0)
    })
  }
}

const ANSWERS: [string, string[]][] = [
  ['a private address', ['127.0.0.1']],
  ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
  ['a private and a public address', ['127.0.0.1', '93.184.216.34']],
  ['an address inside IPv6', ['::ffff:127.0.0.1']],
  ['a scoped address', ['fe80::1%lo']],
]

for (const [name, addresses] of ANSWERS) {
  test(`no connection is opened when a name has ${name}`, async (t) => {
    const receiver = await startReceiver(t, 200)
    const url = `https://hooks.example.test:${receiver.port}/`
    assert.equal(
      failureOf(await send(t, { url, allow: [], resolve: async () => addresses })),
      'blocked_address',
    )
    assert.equal(receiver.connectionCount(), 0)
  })
}

test('a name that resolves to a private address at a later attempt isn’t connected to', async (t) => {
  const receiver = await startReceiver(t, 200)
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  // 127.0.0.1 stands for the public address; 127.0.0.2 reaches the same listener but is not allowed.
  const server = aSender(t, { allow: ['127.0.0.1/32'], resolve: async () => answers.shift() ?? [] })
  const url = `http://hooks.example.test:${receiver.port}/`
  assert.equal((await server({ url, headers: { connection: 'close' } })).kind, 'delivered')
  assert.equal(failureOf(await server({ url })), 'blocked_address')
  assert.equal(receiver.connectionCount(), 1)
})

test('a name is resolved once per connection', async (t) => {
  const receiver = await startReceiver(t, 200)
  let lookups = 0
  const resolve = async () => {
    lookups += 1
    return lookups === 1 ? ['127.0.0.1'] : ['127.0.0.2']
  }
  const url = `http://hooks.example.test:${receiver.port}/`
  assert.equal((await send(t, { url, allow: ['127.0.0.1/32'], resolve })).kind, 'delivered')
  assert.equal(lookups, 1)
  assert.equal(receiver.requests[0]?.headers.host, `hooks.example.test:${receiver.port}`)
})

test('contract §2: plain http needs an address of WEBHOOK_ALLOW', async (t) => {
  const attempt = await send(t, {
    url: 'http://hooks.example.test/',
    allow: [],
    resolve: async () => ['93.184.216.34'],
  })
  assert.equal(failureOf(attempt), 'blocked_address')
  assert.match(attempt.kind === 'failed' ? attempt.message : '', /needs https/)
})

test('contract §2: WEBHOOK_ALLOW with a port allows only that port', async (t) => {
  const [open, closed] = [await startReceiver(t, 200), await startReceiver(t, 200)]
  const allow = [`127.0.0.1/32:${open.port}`]
  assert.equal((await send(t, { url: open.url, allow })).kind, 'delivered')
  assert.equal(failureOf(await send(t, { url: closed.url, allow })), 'blocked_address')
  assert.equal(closed.connectionCount(), 0)
})

test('a header that undici refuses is a failure, not an exception', async (t) => {
  const { url } = await startReceiver(t, 200)
  assert.equal((await send(t, { url, headers: { 'x-a': 'a\nb' } })).kind, 'failed')
})
