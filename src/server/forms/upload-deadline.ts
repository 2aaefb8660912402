import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Deadlines of a post with files: in all, and without a single byte. */
export interface UploadLimits {
  totalMs: number
  idleMs: number
}

export const UPLOAD_LIMITS: UploadLimits = { totalMs: 5 * 60_000, idleMs: 10_000 }

export interface UploadDeadline {
  /** Aborted when the time is over; the connection is closed with it. */
  signal: AbortSignal
  /** Says that a byte came. */
  touch(): void
  /** Says that all bytes came. */
  end(): void
}

const uploading = new WeakSet<Duplex>()

const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** Replaces the server's deadline for the request under way on this connection by that of uploads. */
export function startUploadDeadline(socket: Duplex, { totalMs, idleMs }: UploadLimits): UploadDeadline {
  const controller = new AbortController()
  const expire = () => {
    controller.abort()
    socket.destroy()
  }
  const total = setTimeout(expire, totalMs)
  const idle = setTimeout(expire, idleMs)
  uploading.add(socket)
  return {
    signal: controller.signal,
    touch: () => idle.refresh(),
    end() {
      clearTimeout(total)
      clearTimeout(idle)
      uploading.delete(socket)
    },
  }
}

/**
 * Makes the server's `clientError` listener. Node's request timeout is one for the whole server and reports here, once
 * for a request: an upload has its own deadline and goes on. Anything else is answered as Node does without a listener,
 * with these headers.
 */
export function createBrokenRequestEnd(headers: readonly [name: string, value: string][]) {
  const lines = [...headers, ['connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
    if (!socket.writable || hasBegunAnswer(socket)) {
      socket.destroy(error)
      return
    }
    const status = STATUS_OF_ERROR[error.code ?? ''] ?? 400
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n`, () => socket.destroy(error))
  }
}

// Node keeps the response under way on the socket and tells nobody else of it.
function hasBegunAnswer(socket: Duplex): boolean {
  const response = '_httpMessage' in socket ? (socket._httpMessage as ServerResponse | null) : null
  return response?.headersSent ?? false
}
