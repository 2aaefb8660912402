import type { IncomingMessage } from 'node:http'
import { listenOrigin } from '../../lib/listen-origin.ts'
import { decodedPath } from '../../lib/names/decoded-path.ts'
import { requestTexts } from '../../messages/server/requests.ts'
import { isHost } from '../admin/admin-access.ts'
import type { RefusalCode } from '../refusals/refusal-log.ts'
import { isFormsPath } from './cors.ts'

const MAX_TARGET_LENGTH = 2_048
const MAX_HOST_SHOWN = 100
/** One more than Astro's. */
const MAX_DECODINGS = 12
const METHODS = new Set(['GET', 'HEAD', 'POST'])
// Their browsers ask first (src/server/http/cors.ts).
const METHODS_OF_LISTED = new Set([...METHODS, 'OPTIONS'])

const TAKES_POSTS = /^\/(?:admin|api)(?:[/?]|$)/

const WRONG = { code: 'request_refused' } as const

export interface Refusal {
  status: number
  reason: string
  code: RefusalCode
  /** The allowed methods, when the method is wrong. */
  allow?: string
}

/** Returns undefined if the request may continue, otherwise the answer. Nothing else sees a refused request. */
export type RequestCheck = (request: IncomingMessage) => Refusal | undefined

/**
 * The checks in front of everything: one exact Host, known methods, a plain target, and the same origin for unsafe
 * methods; forms also accept posts from `formOrigins`. Frameworks build their URL from the raw Host header, so a wrong
 * one must never reach them.
 */
export function createRequestCheck({
  siteUrl,
  adminUrl,
  host,
  port,
  formOrigins,
}: {
  siteUrl: string
  /** Origin of the admin; on a host of its own, only posts from there are accepted. */
  adminUrl: string
  /** The listening address, which is accepted too, and so is `localhost` under each of its names. */
  host: string
  port: number
  formOrigins: readonly string[]
}): RequestCheck {
  const local = ['127.0.0.1', 'localhost', '::1', host].map((name) => listenOrigin({ host: name, port }))
  const own = [siteUrl, ...local].map((address) => new URL(address))
  const admin = new URL(adminUrl)
  const hosts = new Set([...own, admin].map((url) => url.host))
  const isApart = own.every((url) => url.host !== admin.host)
  const siteOrigins = new Set(own.map((url) => url.origin))
  const adminOrigins = new Set([admin.origin])
  return (request) => {
    const origins = isApart && isHost(request, admin.host) ? adminOrigins : siteOrigins
    const isListed = isFormsPath(request.url) && formOrigins.includes(request.headers.origin ?? '')
    return (
      checkHost(request, hosts) ??
      checkTarget(request, isListed ? METHODS_OF_LISTED : METHODS) ??
      (isSafe(request) || isListed ? undefined : checkOrigin(request, origins))
    )
  }
}

function checkHost(request: IncomingMessage, hosts: ReadonlySet<string>): Refusal | undefined {
  const given = request.headersDistinct.host ?? []
  const [host = ''] = given
  if (given.length !== 1) return { status: 400, code: 'host_refused', reason: requestTexts.hostMissing }
  if (hosts.has(host.toLowerCase())) return undefined
  return {
    status: 421,
    code: 'host_refused',
    reason: requestTexts.hostUnknown(host.slice(0, MAX_HOST_SHOWN)),
  }
}

function checkTarget(
  { url = '', method = '' }: IncomingMessage,
  methods: ReadonlySet<string>,
): Refusal | undefined {
  if (!methods.has(method)) {
    const allow = TAKES_POSTS.test(url) ? 'GET, HEAD, POST' : 'GET, HEAD'
    return { ...WRONG, status: 405, reason: requestTexts.methodUnknown, allow }
  }
  if (url.length > MAX_TARGET_LENGTH) return { ...WRONG, status: 414, reason: requestTexts.addressTooLong }
  if (!url.startsWith('/')) return { ...WRONG, status: 400, reason: requestTexts.addressNotAPath }
  if (holdsNul(url)) return { ...WRONG, status: 400, reason: requestTexts.addressWithNul }
  return undefined
}

// PostgreSQL's text cannot hold NUL. Astro decodes a path repeatedly, so `%2500` and `%25%30%30` are NUL too.
function holdsNul(url: string): boolean {
  let [path = ''] = url.split('?')
  for (let step = 0; step < MAX_DECODINGS && path.includes('%'); step += 1) path = decodedPath(path)
  return url.includes('%00') || path.includes('\0')
}

function isSafe({ method }: IncomingMessage) {
  return method === 'GET' || method === 'HEAD'
}

// Browsers say where a post comes from; other programs send neither header and have no cookies.
function checkOrigin({ headers }: IncomingMessage, origins: ReadonlySet<string>): Refusal | undefined {
  const site = headers['sec-fetch-site']
  const isOwnOrigin = headers.origin === undefined || origins.has(headers.origin)
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
  if (isOwnOrigin && isOwnSite) return undefined
  return { status: 403, code: 'origin_refused', reason: requestTexts.foreignOrigin }
}
