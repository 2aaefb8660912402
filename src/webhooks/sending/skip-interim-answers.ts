import type { Socket } from 'node:net'

// RFC 9110 §15.2: a client accepts any number of interim answers, requested or not. 101 is not one of them.
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/
const START_BYTES = 'HTTP/1.1 100'.length
const STARTS = ['HTTP/1.0 1', 'HTTP/1.1 1']
const END_OF_HEAD = '\r\n\r\n'

/**
 * Skips interim responses (100, 102 to 199) on a connection, because undici fails on an unrequested `100 Continue`.
 * Everything after them passes unchanged. Call it before anything reads.
 */
export function skipInterimAnswers(socket: Socket): void {
  const read = socket.read.bind(socket)
  let held: Buffer | undefined
  let isPassing = false
  let written = 0
  // The next request begins the next answer.
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) isPassing = false
    written = socket.bytesWritten
  })
  socket.read = (size) => {
    const chunk: Buffer | null = read(size)
    if (isPassing || chunk === null) return chunk
    const rest = afterInterimAnswers(held ? Buffer.concat([held, chunk]) : chunk)
    isPassing = !mayBeInterim(rest)
    held = isPassing ? undefined : rest
    return isPassing ? rest : null
  }
}

function afterInterimAnswers(bytes: Buffer): Buffer {
  let rest = bytes
  while (INTERIM.test(startOf(rest))) {
    const end = rest.indexOf(END_OF_HEAD)
    if (end < 0) break
    rest = rest.subarray(end + END_OF_HEAD.length)
  }
  return rest
}

// Too short to tell is held too.
function mayBeInterim(bytes: Buffer): boolean {
  const start = startOf(bytes)
  if (start.length === START_BYTES) return INTERIM.test(start)
  return STARTS.some((known) => known.startsWith(start.slice(0, known.length)))
}

function startOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, START_BYTES)
}
