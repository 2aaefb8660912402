import { once } from 'node:events'
import type { Server } from 'node:http'
import type { App } from '../app.ts'

const GRACE_MS = 3_000
const CLOSE_IDLE_EVERY_MS = 50

/**
 * Takes no new connections, ends a publish, lets requests under way finish for 3 s, then finishes deliveries and closes
 * the database.
 */
export async function stopServer(server: Server, app: App): Promise<void> {
  // Beside the requests; `close` waits for it.
  app.publishing.stop()
  const closed = server.listening ? once(server, 'close') : undefined
  server.close()
  server.closeIdleConnections()
  // A connection whose answer is complete would be kept for the client's next request.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
  const force = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await app.openWork.end({ requests: closed })
  clearInterval(idle)
  clearTimeout(force)
  await app.close()
}
