import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { atEnd } from './at-end.ts'

interface ReceivedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A status, a complete response, or a function that handles the response itself. */
export type Answer =
  | number
  | { status: number; headers?: Record<string, string | string[]>; body?: string }
  | ((response: ServerResponse, request: ReceivedRequest) => void)

export interface Receiver {
  /** `http://127.0.0.1:PORT` */
  url: string
  port: number
  /** In order of arrival. */
  requests: ReceivedRequest[]
  /** Number of TCP connections opened so far. */
  connectionCount(): number
  /** Resolves with all requests as soon as there are this many. */
  waitForRequests(count: number): Promise<ReceivedRequest[]>
}

/** A real HTTP receiver on 127.0.0.1 that gives these answers in turn, repeating the last one. */
export async function startReceiver(t: TestContext, ...answers: Answer[]): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const waiting = new Set<() => void>()
  let connections = 0
  const server = createServer(async (message, response) => {
    const request = await readRequest(message)
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? 200
    requests.push(request)
    for (const check of waiting) check()
    give(answer, response, request)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(t, () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connectionCount: () => connections,
    waitForRequests: (count) => whenLongEnough(requests, count, waiting),
  }
}

async function readRequest(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  const { method = '', url = '', headers } = message
  return { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') }
}

function give(answer: Answer, response: ServerResponse, request: ReceivedRequest) {
  if (typeof answer === 'function') answer(response, request)
  else if (typeof answer === 'number') response.writeHead(answer).end()
  else response.writeHead(answer.status, answer.headers).end(answer.body)
}

function whenLongEnough(requests: ReceivedRequest[], count: number, waiting: Set<() => void>) {
  return new Promise<ReceivedRequest[]>((resolve) => {
    const check = () => {
      if (requests.length < count) return
      waiting.delete(check)
      resolve(requests)
    }
    waiting.add(check)
    check()
  })
}
