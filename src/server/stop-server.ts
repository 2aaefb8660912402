import { once } from 'node:events'
import type { Server } from 'node:http'
import type { App } from '../app.ts'

const GRACE_MS = 3_000

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
  const force = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await app.openWork.end({ requests: closed })
  clearTimeout(force)
  await app.close()
}
