import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'

/** Deadlines of a post with files: for all of it, and without any new byte. */
export interface UploadLimits {
  totalMs: number
  idleMs: number
}

export const UPLOAD_LIMITS: UploadLimits = { totalMs: 5 * 60_000, idleMs: 10_000 }

export interface UploadDeadline {
  /** Aborted at the deadline, when the connection is closed. */
  signal: AbortSignal
  /** Notes that data arrived. */
  touch(): void
  /** Notes that all data arrived. */
  end(): void
}

const uploading = new WeakSet<Duplex>()

const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** Replaces the server's deadline with that of uploads, for the current request of this connection. */
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
 * Makes the server's `clientError` listener. Node has one request timeout for the whole server and reports it here,
 * once per request: an upload has its own deadline and continues. Anything else is answered as Node does without a
 * listener, with these headers.
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

// Node keeps the current response only on the socket.
function hasBegunAnswer(socket: Duplex): boolean {
  const response = '_httpMessage' in socket ? (socket._httpMessage as ServerResponse | null) : null
  return response?.headersSent ?? false
}
