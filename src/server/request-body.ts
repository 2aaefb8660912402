import type { IncomingMessage } from 'node:http'

export type RequestBody = { kind: 'bytes'; bytes: Buffer } | { kind: 'too_large' } | { kind: 'aborted' }

/** Reads a request's body up to `limit` bytes; what comes after the limit is not kept. */
export async function readRequestBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too_large' }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) return { kind: 'too_large' }
      chunks.push(chunk)
    }
  } catch {
    return { kind: 'aborted' }
  }
  return { kind: 'bytes', bytes: Buffer.concat(chunks) }
}
