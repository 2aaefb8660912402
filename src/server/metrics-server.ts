import { createServer, type Server } from 'node:http'
import type { Metrics } from './metrics.ts'

/** Answers `GET /metrics` on the loopback address only. Not listening yet. */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    try {
      const text = await metrics.text()
      response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
    } catch {
      response.writeHead(503, { 'retry-after': '5' }).end()
    }
  })
}
