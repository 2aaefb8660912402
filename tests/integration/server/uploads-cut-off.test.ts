import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { waitFor } from '../../support/running-site.ts'
import { collect, filePart, head, MIB, PNG, startUploads } from '../../support/uploads.ts'

test('a connection lost during an upload leaves nothing behind', async (t) => {
  const { app, port, filesOnDisk } = await startUploads(t)
  const socket = connect(port, '127.0.0.1')
  socket.write(head(port, 5 * MIB))
  socket.write(filePart('photo', 'a.png'))
  socket.write(Buffer.concat([PNG, randomBytes(300_000)]))
  await waitFor(async () => (await filesOnDisk()).length === 1)
  socket.destroy()
  await waitFor(async () => (await filesOnDisk()).length === 0)
  assert.equal((await app.db.selectFrom('form_submissions').selectAll().execute()).length, 0)
})

test('a wrong Content-Length affects no other request', async (t) => {
  const { app, port, filesOnDisk } = await startUploads(t)
  const body = Buffer.concat([filePart('photo', 'a.png'), PNG, Buffer.from('\r\n--x--\r\n')])
  for (const difference of [-30, 30]) {
    const socket = connect(port, '127.0.0.1')
    socket.end(Buffer.concat([Buffer.from(head(port, body.length + difference)), body]))
    assert.match(await collect(socket), /^HTTP\/1\.1 400 /)
    await waitFor(async () => (await filesOnDisk()).length === 0)
  }
  assert.deepEqual(await app.db.selectFrom('form_submissions').selectAll().execute(), [])
})

const TIMES = { requestTimeoutMs: 300, uploadLimits: { idleMs: 400, totalMs: 3_000 } }

test('a slow but steady upload outlives the deadline of other requests', async (t) => {
  const uploadLimits = { idleMs: 10_000, totalMs: 60_000 }
  const { port, filesOnDisk } = await startUploads(t, { requestTimeoutMs: 2_000, uploadLimits })
  const body = Buffer.concat([filePart('photo', 'a.png'), PNG, Buffer.from('\r\n--x--\r\n')])
  const named = Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="full_name"\r\n\r\nAnn\r\n'),
    body,
  ])
  const socket = connect(port, '127.0.0.1')
  const answer = collect(socket)
  // Node drops the answer to a client that ends its half before.
  socket.once('data', () => socket.end())
  socket.write(head(port, named.length))
  for (let sent = 0; sent < named.length; sent += 20) {
    socket.write(named.subarray(sent, sent + 20))
    await wait(250)
  }
  assert.match(await answer, /^HTTP\/1\.1 201 /)
  assert.equal((await filesOnDisk()).length, 1)
})

test('a stalled or endless upload is cut off and leaves nothing behind', async (t) => {
  const { port, filesOnDisk } = await startUploads(t, {
    ...TIMES,
    uploadLimits: { idleMs: 400, totalMs: 1_200 },
  })
  for (const isSteady of [false, true]) {
    const socket = connect(port, '127.0.0.1')
    socket.write(Buffer.concat([Buffer.from(head(port, MIB)), filePart('photo', 'a.png'), PNG]))
    const startedAt = performance.now()
    const dripping = setInterval(() => isSteady && socket.write('x'), 50)
    // What is written to a closed connection is answered with a reset.
    const answer = await collect(socket).catch((error: NodeJS.ErrnoException) => error.code)
    clearInterval(dripping)
    assert.ok(['', 'ECONNRESET'].includes(String(answer)), String(answer))
    assert.ok(performance.now() - startedAt < 5_000)
    await waitFor(async () => (await filesOnDisk()).length === 0)
  }
})

test('a post without files keeps the short deadline, and a malformed request gets 400', async (t) => {
  const { port } = await startUploads(t, TIMES)
  const slow = connect(port, '127.0.0.1')
  slow.write(head(port, 100, 'application/json'))
  assert.match(await collect(slow), /^HTTP\/1\.1 408 /)
  const broken = connect(port, '127.0.0.1')
  broken.write('nonsense\r\n\r\n')
  assert.match(await collect(broken), /^HTTP\/1\.1 400 /)
})
