import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startFront } from '../../support/front.ts'

test('a failed request shows a reference to the log and no details', async (t) => {
  const { app, url } = await startFront(t)
  const logged = t.mock.method(app.log, 'error', () => {})
  await sql`alter table forms rename to elsewhere`.execute(app.db)
  const post = (accept: string) =>
    fetch(`${url}/api/forms/waitlist/submissions?email=ann@example.com`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: '{}',
    })
  for (const [accept, type] of [
    ['application/json', 'text/plain; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
  ] as const) {
    const answer = await post(accept)
    const body = await answer.text()
    const reference = answer.headers.get('x-request-id') as string
    assert.equal(answer.status, 500)
    assert.equal(answer.headers.get('content-type'), type)
    assert.match(body, /Something went wrong on our end/)
    assert.ok(body.includes(reference))
    assert.doesNotMatch(body, /no such table|elsewhere|\.ts/)
    const [entry] = (logged.mock.calls.at(-1)?.arguments ?? []) as unknown as [object]
    assert.partialDeepStrictEqual(entry, { requestId: reference, path: '/api/forms/waitlist/submissions' })
  }
})

test('HSTS is sent behind https only', async (t) => {
  const secure = await startFront(t, { environment: { SITE_URL: 'https://www.example.com' } })
  const headers = { host: '127.0.0.1' }
  const answer = await fetch(`${secure.url}/health`, { headers })
  assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000')
  const plain = await startFront(t)
  assert.equal((await fetch(`${plain.url}/`)).headers.get('strict-transport-security'), null)
})

test('a response whose client disconnects is abandoned and not logged as a failure', {
  timeout: 20_000,
}, async (t) => {
  let isCancelled = Promise.withResolvers<void>()
  let answering = Promise.withResolvers<Response>()
  const { app, server, port } = await startFront(t, { aroundAdmin: () => () => answering.promise })
  const logged = t.mock.method(app.log, 'error', () => {})
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
        cancel: () => isCancelled.resolve(),
      }),
    )
  for (const leaves of ['before', 'after']) {
    isCancelled = Promise.withResolvers()
    answering = Promise.withResolvers()
    const connected = once(server, 'connection')
    const client = connect(port, '127.0.0.1')
    client.write(`GET /admin HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    const [socket] = (await connected) as [Socket]
    await once(socket, 'data')
    if (leaves === 'after') {
      answering.resolve(endless())
      await once(client, 'data')
    }
    const closed = new Promise((resolve) => socket.once('close', resolve))
    client.destroy()
    await closed
    answering.resolve(endless())
    await isCancelled.promise
  }
  assert.deepEqual(logged.mock.calls, [])
})
