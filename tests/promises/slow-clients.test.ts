import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { assertWithin } from '../support/assert-within.ts'
import { temporaryFolder } from '../support/database.ts'
import { printFigure, soakLength } from '../support/soak.ts'
import { startSubmissionServer, VALID_ANSWERS } from '../support/submission-server.ts'

const SLOW_CLIENTS = soakLength(50, 1_000)
const OVERSIZE_POSTS = soakLength(10, 100)
/** The promise; short runs share the machine. */
const WITHIN_MS = soakLength(10_000, 7_000)
const PIECE = Buffer.alloc(64 * 1024, 'a')
const CHUNK = Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')])
const TOO_MUCH_BYTES = 20 * 1024 * 1024
const MOST_GROWTH_BYTES = 128 * 1024 * 1024

const START = 'POST /api/forms/waitlist/submissions HTTP/1.1\r\nHost: 127.0.0.1'

test('slow clients are disconnected within 7 s while others are served', async (t) => {
  const { port, url } = await startSubmissionServer(t, temporaryFolder(t))
  const openings = [
    'GET / HT',
    `${START}:${port}\r\nX-A`,
    `${START}:${port}\r\nContent-Length: 100\r\n\r\n{"a"`,
    // The waitlist asks for no file.
    `${START}:${port}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100\r\n\r\n--x`,
  ]
  const closings = Array.from({ length: SLOW_CLIENTS }, (_, index) =>
    timeUntilClosed(connect(port, '127.0.0.1'), openings[index % openings.length] ?? ''),
  )
  const answer = await fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(VALID_ANSWERS),
  })
  assert.equal(answer.status, 201)
  const slowestMs = Math.max(...(await Promise.all(closings)))
  assertWithin(slowestMs, WITHIN_MS)
  printFigure(t, `${SLOW_CLIENTS} closed, the last after ${(slowestMs / 1_000).toFixed(1)} s`)
})

test('an oversize body gets 413 without using memory; an endless body is cut off', async (t) => {
  const server = await startSubmissionServer(t, temporaryFolder(t))
  const pid = server.process.pid as number
  const refuse = async () => {
    for (let posts = 0; posts < OVERSIZE_POSTS; posts += 1) {
      assert.match(await postChunks(server.port, TOO_MUCH_BYTES), /^HTTP\/1\.1 413 /)
    }
  }
  // What a process takes for its first requests, it keeps.
  await refuse()
  const before = await residentBytes(pid)
  await refuse()
  const startedAt = performance.now()
  await postChunks(server.port, Number.POSITIVE_INFINITY)
  assertWithin(performance.now() - startedAt, WITHIN_MS)
  const growth = (await residentBytes(pid)) - before
  assert.ok(growth < MOST_GROWTH_BYTES, `${growth} bytes`)
  printFigure(t, `${OVERSIZE_POSTS} answered with 413, memory ${(growth / 1024 ** 2).toFixed(0)} MiB more`)
})

function timeUntilClosed(socket: Socket, opening: string): Promise<number> {
  const startedAt = performance.now()
  socket.on('error', () => {})
  socket.resume()
  socket.write(opening)
  return new Promise((resolve) => socket.on('close', () => resolve(performance.now() - startedAt)))
}

/** Sends a body of that size without saying so before. */
function postChunks(port: number, bytes: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  let sent = 0
  const send = () => {
    let hasRoom = true
    while (hasRoom && sent < bytes) {
      sent += PIECE.length
      hasRoom = socket.write(CHUNK)
    }
    if (hasRoom) socket.off('drain', send).write('0\r\n\r\n')
  }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    answer += chunk
    socket.destroySoon()
  })
  socket.on('drain', send)
  socket.write(`${START}:${port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`)
  send()
  return new Promise((resolve) => socket.on('close', () => resolve(answer)))
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}
