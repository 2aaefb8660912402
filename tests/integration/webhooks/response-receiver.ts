import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { CERTIFICATE, PRIVATE_KEY } from './test-certificate.ts'

/** What a receiver does with a connection after the head of the request came. */
export type Treatment = (socket: Socket) => void

export interface ResponseReceiver {
  port: number
  /** Bytes of the answer that left the receiver, of all connections. */
  bytesSent(): number
  connectionCount(): number
  /** Connections whose other side has not hung up. */
  openCount(): number
}

/** A receiver on 127.0.0.1 that writes the bytes of its answers itself; over TLS, with its own certificate, on request. */
export async function startResponseReceiver(
  t: TestContext,
  treat: Treatment,
  { isTls = false, when = 'request' as 'request' | 'connection' } = {},
): Promise<ResponseReceiver> {
  const sockets = new Set<Socket>()
  const open = new Set<Socket>()
  const onConnection = (socket: Socket) => {
    sockets.add(socket)
    open.add(socket)
    socket.once('end', () => open.delete(socket)).once('close', () => open.delete(socket))
    // A receiver that is hung up on has nothing to say about it.
    socket.on('error', () => {})
    if (when === 'connection') treat(socket)
    else socket.once('data', () => treat(socket)).resume()
  }
  const options = { allowHalfOpen: true }
  const server: Server = isTls
    ? createTlsServer({ ...options, cert: CERTIFICATE, key: PRIVATE_KEY }, onConnection)
    : createServer(options, onConnection)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    bytesSent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
    connectionCount: () => sockets.size,
    openCount: () => open.size,
  }
}

/** Writes these bytes and leaves the connection open. */
export function say(text: string): Treatment {
  return (socket) => socket.write(text)
}

/** Writes these bytes one by one, each when the one before has left. */
export function sayByteByByte(text: string): Treatment {
  return (socket) => {
    socket.setNoDelay(true)
    const sayFrom = (at: number) => {
      if (at < text.length && !socket.destroyed)
        socket.write(text.slice(at, at + 1), () => setImmediate(sayFrom, at + 1))
    }
    sayFrom(0)
  }
}

/** Writes these bytes and closes this side of the connection. */
export function sayAndEnd(text: string): Treatment {
  return (socket) => socket.end(text)
}

/** Writes these bytes, and as soon as they are on their way cuts the connection. */
export function sayAndReset(text: string): Treatment {
  return (socket) => {
    socket.write(text, () => setImmediate(() => socket.resetAndDestroy()))
  }
}

/** After `head`, `chunk` again and again until the connection ends: at every turn of the loop, or each `everyMs`. */
export function sayForEver(head: string, chunk: string, { everyMs = 0 } = {}): Treatment {
  return (socket) => {
    socket.write(head)
    const next = () => {
      if (socket.destroyed || socket.writableEnded) return
      socket.write(chunk)
      if (everyMs > 0) setTimeout(next, everyMs)
      else setImmediate(next)
    }
    socket.on('end', () => socket.destroy())
    next()
  }
}

/** After `head`, as much of `chunk` as the connection takes. */
export function flood(head: string, chunk: string): Treatment {
  return (socket) => {
    socket.write(head)
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pour).on('end', () => socket.destroy())
    pour()
  }
}
