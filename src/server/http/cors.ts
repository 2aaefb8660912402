import type { IncomingMessage, ServerResponse } from 'node:http'

const PREFLIGHT_SECONDS = '600'

/** Addresses that pages of other origins may read and post to: only the forms. */
export function isFormsPath(url: string | undefined): boolean {
  return url?.startsWith('/api/forms/') ?? false
}

/**
 * Lets pages of the listed origins use the forms (Fetch standard, CORS): sets the headers that their browser needs, and
 * returns whether the request was a preflight and is answered. Without credentials. Other origins get no header.
 */
export function createCors(origins: readonly string[]) {
  return (request: IncomingMessage, response: ServerResponse): 'answered' | 'go_on' => {
    if (origins.length === 0 || !isFormsPath(request.url)) return 'go_on'
    // Caches must not give one origin the answer to another.
    response.setHeader('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return 'go_on'
    response.setHeader('access-control-allow-origin', origin)
    if (!isPreflight(request)) {
      response.setHeader('access-control-expose-headers', 'retry-after')
      return 'go_on'
    }
    response.writeHead(204, {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type, accept',
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    response.end()
    return 'answered'
  }
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
