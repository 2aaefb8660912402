import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { App } from '../../app.ts'
import { readFormBody } from '../../submissions/intake/read-form-body.ts'
import { readSource } from '../../submissions/sources/read-source.ts'
import { createClientAddress } from '../http/client-address.ts'
import { readRequestBody } from '../http/request-body.ts'
import { ownHostsOf } from './open-visits.ts'
import { isRobot, ONSITE, UNKNOWN } from './visit-request.ts'
import type { Visit } from './visit-tally.ts'

const PATH = '/api/visits'
const MOST_BYTES = 32 * 1_024
const PER_MINUTE = 120
const MINUTE_MS = 60_000

const told = z.object({
  event: z.enum(['view', 'tap']),
  page: z
    .string()
    .max(512)
    .regex(/^\/(?!\/)[\w@./-]*$/),
  visit: z.string().optional(),
})

/** Returns whether pages report phone taps here, and on static hosts views. */
export function isVisitReport({ url, method }: IncomingMessage): boolean {
  return method === 'POST' && url === PATH
}

/** Accepts pages' reports, always with 204, because nothing reads the response. Each address has a limit per minute. */
export function createVisitEndpoint({ visits, config }: Pick<App, 'visits' | 'config'>) {
  const addressOf = createClientAddress(config.trustedProxies)
  const ownHosts = ownHostsOf(config)
  const isWithinLimit = createLimit()

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await readRequestBody(request, MOST_BYTES)
    if (received.kind === 'aborted') return void response.destroy()
    const read = received.kind === 'bytes' && readFormBody(received.bytes, request.headers['content-type'])
    const { data } = told.safeParse(read && read.kind === 'body' ? read.body : undefined)
    if (data && !isRobot(request.headers['user-agent']) && isWithinLimit(addressOf(request)))
      visits.count(visitOf(data, { request, ownHosts }))
    response.writeHead(204).end()
  }
}

function visitOf(
  { event, page, visit: sent }: z.output<typeof told>,
  { request, ownHosts }: { request: IncomingMessage; ownHosts: ReadonlySet<string> },
): Visit {
  const isPrivate = request.headers['sec-gpc'] === '1'
  const path = page.replace(/(?:\.html|\/)+$/, '') || '/'
  const came = readSource({ sent, pagePath: undefined, ownHosts, now: new Date(), isPrivate })
  const source = came?.name ?? (isPrivate || event === 'tap' ? UNKNOWN : ONSITE)
  return { path, source, views: Number(event === 'view'), taps: Number(event === 'tap'), isServed: false }
}

function createLimit(): (address: string) => boolean {
  const counts = new Map<string, number>()
  let minute = 0
  return (address) => {
    const current = Math.floor(Date.now() / MINUTE_MS)
    if (current !== minute) counts.clear()
    minute = current
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    return count <= PER_MINUTE
  }
}
