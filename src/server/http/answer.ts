import type { ServerResponse } from 'node:http'

/** An answer to a request, sent by this server or by Astro as a web `Response`. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body?: string | Buffer
}

/** A page that is not a file, such as a form with mistakes; no cache keeps it. */
export function pageAnswer(status: number, html: string | Buffer): Answer {
  return answerWith(status, 'text/html; charset=utf-8', html)
}

export function textAnswer(status: number, text: string): Answer {
  return answerWith(status, 'text/plain; charset=utf-8', `${text}\n`)
}

export function jsonAnswer(status: number, value: unknown, type = 'application/json; charset=utf-8'): Answer {
  return answerWith(status, type, JSON.stringify(value))
}

function answerWith(status: number, type: string, body: string | Buffer): Answer {
  return { status, headers: { 'content-type': type, 'cache-control': 'no-store' }, body }
}

/** Sends it together with headers that were set before. Node sends no body for HEAD. */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end()
    return
  }
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** The same for Astro's endpoints, which answer in text. */
export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body?.toString() ?? null, { status, headers })
}
