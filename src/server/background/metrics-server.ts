import { createServer, type IncomingMessage, type Server } from 'node:http'
import { isIP } from 'node:net'
import type { App } from '../../app.ts'
import { listen } from '../http/listen.ts'
import type { Metrics } from './metrics.ts'

/** Serves the metrics on the port of `METRICS_PORT`, if it is set. */
export async function startMetrics({ metrics, config }: Pick<App, 'metrics' | 'config'>): Promise<void> {
  if (!metrics || config.metricsPort === undefined) return
  const server = createMetricsServer(metrics).unref()
  await listen(server, { host: '127.0.0.1', port: config.metricsPort, variable: 'METRICS_PORT' })
}

/** Answers `GET /metrics` for a loopback host only. Not listening yet. */
export function createMetricsServer(metrics: Metrics): Server {
  return createServer(async (request, response) => {
    const refusal = refusalOf(request)
    if (refusal !== undefined) {
      response.writeHead(refusal, { connection: 'close' }).end()
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

// A website whose name resolves to 127.0.0.1 could read the metrics through a browser on this machine.
function refusalOf({ method, url, headers }: IncomingMessage): number | undefined {
  if (!isOwnHost(headers.host)) return 421
  if (url !== '/metrics') return 404
  return method === 'GET' || method === 'HEAD' ? undefined : 405
}

function isOwnHost(host = ''): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, '')
  return name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0
}
