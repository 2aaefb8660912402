import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createDestinationPolicy, type DestinationPolicy } from '#src/webhooks/sending/destination-address.ts'
import { createDestinationAgent, type Resolve } from '#src/webhooks/sending/destination-agent.ts'
import { sendAttempt } from '#src/webhooks/sending/send-attempt.ts'
import { DENIED } from '../../support/denied-addresses.ts'
import { startReceiver } from '../../support/receiver.ts'

interface Sending {
  url: string
  policy: DestinationPolicy
  resolve?: Resolve
}

function aSender(t: TestContext, { policy, resolve }: Omit<Sending, 'url'>) {
  const agent = createDestinationAgent({ policy, resolve, timeoutMs: 2_000 })
  t.after(() => agent.destroy())
  return async (url: string) => {
    const request = { url, method: 'POST', headers: {}, body: '{}' } as const
    const attempt = await sendAttempt(agent, request, { timeoutMs: 2_000, now: () => new Date() })
    return attempt.kind === 'failed' ? attempt.failureKind : attempt.kind
  }
}

/** A listener on a loopback address that no policy of these tests permits; counts what reaches it. */
async function startPrivateListener(t: TestContext) {
  let connections = 0
  const server = createServer((_request, response) => response.end())
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.2:${port}/`, connectionCount: () => connections }
}

const ONE = createDestinationPolicy(['127.0.0.1/32'])
const NONE = createDestinationPolicy([])

test('the open socket’s address is checked too: allowed 0.0.0.0 connects to 127.0.0.1 and is refused', async (t) => {
  const receiver = await startReceiver(t, 200)
  const send = aSender(t, { policy: createDestinationPolicy(['0.0.0.0/32']) })
  assert.equal(await send(`http://0.0.0.0:${receiver.port}/`), 'blocked_address')
  assert.equal(receiver.requests.length, 0, 'no request is written to it')
})

test('the open socket’s address is checked regardless of DNS', async (t) => {
  const receiver = await startReceiver(t, 200)
  const asked: string[] = []
  const policy = {
    isAllowListed: () => true,
    permits: (address: string) => asked.push(address) === 1,
  }
  const send = aSender(t, { policy, resolve: async () => ['127.0.0.1'] })
  assert.equal(await send(`http://hooks.example.test:${receiver.port}/`), 'blocked_address')
  assert.deepEqual(asked, ['127.0.0.1', '127.0.0.1'])
  assert.equal(receiver.requests.length, 0, 'no request is written to it')
})

// In place of the real one: a fault must not dial the addresses that it lets through.
function watchConnects(t: TestContext) {
  const { mock } = t.mock.method(Socket.prototype, 'connect', () => {
    throw new Error('a connection was opened')
  })
  return () => mock.callCount()
}

test('no connection is opened to a denied address among a name’s DNS answers', async (t) => {
  const connectCount = watchConnects(t)
  await aSender(t, { policy: ONE, resolve: async () => ['127.0.0.1'] })('http://hooks.example.test/')
  assert.equal(connectCount(), 1, 'the watch sees what is opened')
  for (const address of DENIED) {
    for (const answers of [[address], ['8.8.8.8', address], [address, '8.8.8.8']]) {
      const send = aSender(t, { policy: NONE, resolve: async () => answers })
      for (const protocol of ['https', 'http'])
        assert.equal(await send(`${protocol}://hooks.example.test/`), 'blocked_address', address)
    }
  }
  assert.equal(connectCount(), 1)
})

test('no connection is opened to a denied address in the URL', async (t) => {
  const connectCount = watchConnects(t)
  await aSender(t, { policy: ONE })('http://127.0.0.1/')
  assert.equal(connectCount(), 1, 'the watch sees what is opened')
  const urls = DENIED.flatMap((address) => [address, `[${address}]`])
    .flatMap((host) => [`https://${host}/`, `http://${host}/`])
    .filter((url) => URL.canParse(url))
  assert.ok(urls.length > DENIED.length)
  const send = aSender(t, { policy: NONE, resolve: async () => ['127.0.0.1'] })
  for (const url of urls) assert.equal(await send(url), 'blocked_address', url)
  assert.equal(connectCount(), 1)
})

test('a name that resolves to a public, then a private address is never connected to the private one', async (t) => {
  const listener = await startPrivateListener(t)
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const send = aSender(t, { policy: ONE, resolve: async () => answers.shift() ?? ['127.0.0.2'] })
  const url = `http://hooks.example.test:${listener.port}/`
  assert.deepEqual([await send(url), await send(url)], ['refused', 'blocked_address'])
  assert.equal(listener.connectionCount(), 0)
})

for (const addresses of [
  ['127.0.0.1', '127.0.0.2'],
  ['127.0.0.2', '127.0.0.1'],
  ['127.0.0.1', '::1'],
]) {
  test(`a name with the addresses ${addresses.join(' and ')}, one of them denied, is not connected to`, async (t) => {
    const listener = await startPrivateListener(t)
    const receiver = await startReceiver(t, 200)
    const send = aSender(t, { policy: ONE, resolve: async () => addresses })
    for (const port of [listener.port, receiver.port]) {
      assert.equal(await send(`http://hooks.example.test:${port}/`), 'blocked_address')
    }
    assert.deepEqual([listener.connectionCount(), receiver.connectionCount()], [0, 0])
  })
}

for (const status of [301, 302, 303, 307, 308]) {
  test(`a ${status} to a private address opens no connection`, async (t) => {
    const listener = await startPrivateListener(t)
    const { url } = await startReceiver(t, { status, headers: { location: listener.url } })
    assert.equal(await aSender(t, { policy: ONE })(url), 'redirect')
    assert.equal(listener.connectionCount(), 0)
  })
}
