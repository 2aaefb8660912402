import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

/** Serves one part of the server on its own; returns the URL. An error answers 500 with its message. */
export async function serveEndpoint(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>,
): Promise<string> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.writeHead(500).end(error.stack))
  })
  server.listen(0, '127.0.0.1')
  atEnd(t, () => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
