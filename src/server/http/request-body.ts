import type { IncomingMessage } from 'node:http'

// A browser reads the answer to a refused upload only after most of the upload was read.
const LINGER_MS = 5_000
const SILENT_MS = 5_000

export type RequestBody = { kind: 'bytes'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'aborted' }

/** Reads a request's body up to `limit` bytes and drops the rest. */
export async function readRequestBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  const body = await readUpTo(request, limit)
  if (body.kind === 'too_large') await linger(request)
  return body
}

function readUpTo(request: IncomingMessage, limit: number): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve({ kind: 'too_large' })
  const { promise, resolve } = Promise.withResolvers<RequestBody>()
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= limit) chunks.push(chunk)
    else resolve({ kind: 'too_large' })
  })
  request.once('end', () => resolve({ kind: 'bytes', bytes: Buffer.concat(chunks) }))
  request.once('error', () => resolve({ kind: 'aborted' }))
  request.once('close', () => resolve({ kind: 'aborted' }))
  return promise
}

/**
 * Reads and discards the rest: a client that is still sending would not see the answer before the connection breaks.
 * Ends after `longestMs`, or 5 s after the last byte.
 */
export async function linger(request: IncomingMessage, longestMs = LINGER_MS): Promise<void> {
  if (request.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const longest = setTimeout(resolve, longestMs)
  let silence = setTimeout(resolve, SILENT_MS)
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(resolve, SILENT_MS)
  }
  request.on('data', listen).once('end', resolve).once('close', resolve).resume()
  await promise
  request.off('data', listen)
  clearTimeout(longest)
  clearTimeout(silence)
}
