import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request to this path reports its arrival time to the parent process, by a clock that both share. */
const REPORTED_PATH = '/report'

const ORIGINS = 4
const TAR_PITS = 5
const KEPT_ALIVE_MS = 60_000

// A separate process, so that receiving takes no time from sending.
const answering = await Promise.all(Array.from({ length: ORIGINS }, () => listen(answer)))
const tarPits = await Promise.all(Array.from({ length: TAR_PITS }, () => listen(() => {})))
process.send?.({ answering, tarPits })
process.on('disconnect', () => process.exit())

function answer(request: IncomingMessage, response: ServerResponse) {
  if (request.url === REPORTED_PATH) process.send?.({ at: process.hrtime.bigint().toString() })
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end('ok'))
}

async function listen(treat: typeof answer): Promise<string> {
  const server = createServer(treat)
  server.keepAliveTimeout = KEPT_ALIVE_MS
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
