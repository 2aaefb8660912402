import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { sendAnswer, toResponse } from '#src/server/http/answer.ts'
import { createFileCache } from '#src/server/http/file-cache.ts'
import { listen } from '#src/server/http/listen.ts'
import { readRequestBody } from '#src/server/http/request-body.ts'
import { atEnd } from '../../support/at-end.ts'
import { temporaryFolder } from '../../support/database.ts'
import { serveEndpoint } from '../../support/endpoint.ts'
import { waitFor } from '../../support/running-site.ts'

test('a program that can’t listen says why', async (t) => {
  const server = createServer()
  atEnd(t, () => server.close())
  await listen(server, { host: '127.0.0.1', port: 0, variable: 'PORT' })
  const { port, address } = server.address() as AddressInfo
  assert.equal(address, '127.0.0.1')
  for (const [host, variable, problem] of [
    [
      '127.0.0.1',
      'METRICS_PORT',
      `Port ${port} on 127.0.0.1 is in use. Stop the other program or set METRICS_PORT`,
    ],
    [
      '192.0.2.1',
      'PORT',
      'HOST is "192.0.2.1", which is not an address of this machine; expected an address such as 127.0.0.1',
    ],
  ] as const)
    await assert.rejects(listen(createServer(), { host, port, variable }), { message: problem })
  await assert.rejects(listen(createServer(), { host: '', port, variable: 'PORT', listenFd: 999_999 }), {
    code: 'EINVAL',
  })
})

test('a body is read up to its limit, whether or not its length was told', async (t) => {
  const url = await serveEndpoint(t, async (request, response) => {
    const body = await readRequestBody(request, 10)
    response.end(body.kind === 'bytes' ? `bytes ${body.bytes}` : body.kind)
  })
  const send = async (body: string, isStreamed: boolean) => {
    const stream = { body: new Blob([body]).stream(), duplex: 'half' } as RequestInit
    const answer = await fetch(url, { method: 'POST', ...(isStreamed ? stream : { body }) })
    return answer.text()
  }
  for (const isStreamed of [false, true]) {
    assert.equal(await send('', isStreamed), 'bytes ')
    assert.equal(await send('0123456789', isStreamed), 'bytes 0123456789')
    assert.equal(await send('0123456789a', isStreamed), 'too_large')
  }
  assert.equal(await (await fetch(url)).text(), 'bytes ')
})

test('a client that leaves has no body', async (t) => {
  const read: string[] = []
  const url = await serveEndpoint(t, async (request, response) => {
    read.push((await readRequestBody(request, 99)).kind)
    response.end()
  })
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc', () => client.destroy())
  await waitFor(async () => read.length > 0)
  assert.deepEqual(read, ['aborted'])
})

test('an answer is sent with its length, or without a body', async (t) => {
  const url = await serveEndpoint(t, async ({ url: path }, response) => {
    response.setHeader('x-before', 'kept')
    const headers = { 'content-type': 'text/plain' }
    sendAnswer(response, path === '/none' ? { status: 303, headers } : { status: 201, headers, body: 'é' })
  })
  const answer = await fetch(url)
  assert.deepEqual([answer.status, await answer.text()], [201, 'é'])
  assert.deepEqual([answer.headers.get('content-length'), answer.headers.get('x-before')], ['2', 'kept'])
  const none = await fetch(`${url}/none`, { redirect: 'manual' })
  assert.deepEqual(
    [none.status, await none.text(), none.headers.get('content-type')],
    [303, '', 'text/plain'],
  )
  const response = toResponse({ status: 202, headers: { 'x-a': 'b' }, body: Buffer.from('a') })
  assert.deepEqual([response.status, response.headers.get('x-a'), await response.text()], [202, 'b', 'a'])
  assert.equal(toResponse({ status: 204, headers: {} }).body, null)
})

test('files stay in memory up to 64 MiB, the newest the longest', async (t) => {
  const folder = temporaryFolder(t)
  const read = createFileCache()
  const pathOf = (name: string) => join(folder, name)
  const write = (name: string, mib: number) => writeFileSync(pathOf(name), Buffer.alloc(mib * 1024 * 1024))
  const sizeOf = async (name: string) => (await read(pathOf(name)))?.bytes.length
  assert.equal(await sizeOf('missing'), undefined)
  const mib = 1024 * 1024
  for (const [name, size] of [
    ['a', 24],
    ['b', 20],
    ['c', 20],
  ] as const)
    write(name, size)
  await Promise.all([read(pathOf('a')), read(pathOf('a'))])
  await read(pathOf('b'))
  await read(pathOf('c'))
  for (const name of ['a', 'b', 'c']) write(name, 1)
  assert.deepEqual([await sizeOf('a'), await sizeOf('b'), await sizeOf('c')], [24 * mib, 20 * mib, 20 * mib])
  write('d', 1)
  await read(pathOf('d'))
  assert.deepEqual([await sizeOf('b'), await sizeOf('c')], [20 * mib, 20 * mib])
  assert.equal(await sizeOf('a'), mib, 'the oldest was dropped')
})
