import { once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { App } from '../../app.ts'

const REQUEST_GRACE_MS = 3_000
/** A connection that looks idle may have a request on its way; a proxy answers its reset with a 502. */
const IDLE_GRACE_MS = 1_000
const CLOSE_IDLE_EVERY_MS = 50

/** The latest answer on each connection. */
const latestAnswers = new WeakMap<Server, Map<Socket, ServerResponse>>()

/** Remembers the latest answers, for `endIdleSockets`, and so that `stopServer` can end their connections. */
export function watchAnswers(server: Server): void {
  const answers = new Map<Socket, ServerResponse>()
  latestAnswers.set(server, answers)
  server.on('connection', (socket) => socket.once('close', () => answers.delete(socket)))
  server.prependListener('request', (request, response) => answers.set(request.socket, response))
}

/**
 * Disconnects clients that neither send nor read for `idleMs` milliseconds. A client whose whole request has arrived
 * waits for the server, so it stays until its answer begins.
 */
export function endIdleSockets(server: Server, idleMs: number): void {
  server.setTimeout(idleMs)
  server.on('timeout', (socket: Socket) => {
    const answer = latestAnswers.get(server)?.get(socket)
    const isWaiting = answer?.req.complete && !answer.headersSent
    if (isWaiting) socket.setTimeout(server.timeout)
    else socket.destroy()
  })
}

/**
 * Accepts no new connections and sends `Connection: close` with every response. Running requests have 3 s, idle
 * connections 1 s; then it finishes deliveries and closes the database.
 */
export async function stopServer(
  server: Server,
  app: App,
  { idleGraceMs = IDLE_GRACE_MS } = {},
): Promise<void> {
  // Beside the requests; `close` waits for it.
  app.publishing.stop()
  const closed = server.listening ? once(server, 'close') : undefined
  for (const answer of latestAnswers.get(server)?.values() ?? []) closeAfter(answer)
  server.prependListener('request', (_request, response) => closeAfter(response))
  // The HTTP server's own `close` would also close idle connections, and reset a request that is on its way.
  NetServer.prototype.close.call(server)
  const endIdle = repeatAfter(idleGraceMs, () => server.closeIdleConnections())
  const force = setTimeout(() => server.closeAllConnections(), REQUEST_GRACE_MS)
  await app.openWork.end({ requests: closed })
  endIdle()
  clearTimeout(force)
  await app.close()
}

function closeAfter(answer: ServerResponse) {
  if (!answer.headersSent) answer.setHeader('connection', 'close')
}

// A connection with a complete response would be kept for the client's next request, so this checks repeatedly.
function repeatAfter(delayMs: number, act: () => void): () => void {
  let timer = setTimeout(repeat, delayMs)
  function repeat() {
    act()
    timer = setTimeout(repeat, CLOSE_IDLE_EVERY_MS)
  }
  return () => clearTimeout(timer)
}
