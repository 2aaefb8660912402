import { MAP_ORIGINS } from '../../site/content/map-embed.ts'
import { type TagPolicy, widenPolicy } from '../../site/tags/tag-policy.ts'

/** Address for browsers' reports of policy violations; a static host has none. */
export const CSP_REPORTS_PATH = '/api/csp-reports'

const HSTS_SECONDS = 365 * 86_400

const POLICY = [
  "default-src 'none'",
  "object-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self' https:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The end of every policy of this server. Browsers without `report-to` use `report-uri`. */
export const REPORTING = `report-uri ${CSP_REPORTS_PATH}; report-to csp`

/** The policy of a page that may show maps of other sites in a frame, or has tags of other services. */
export function pagePolicy({ hasMap, tags }: { hasMap: boolean; tags: TagPolicy }): string {
  const policy = hasMap ? `${POLICY}; frame-src ${MAP_ORIGINS.join(' ')}` : POLICY
  return `${widenPolicy(policy, tags)}; ${REPORTING}`
}

/**
 * On every answer. Pages carry no inline style or script; forms may redirect to another https site (`redirect_url`),
 * which browsers check against `form-action`.
 */
const SECURITY_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
} as const

/** The headers of every page, also on a static host; behind https also HSTS. */
export function securityHeaders({
  siteUrl,
  tags = new Map(),
}: {
  siteUrl: string
  /** Origins that the tags of pages may load from, when all pages have the same headers. */
  tags?: TagPolicy
}): [name: string, value: string][] {
  const isSecure = siteUrl.startsWith('https:')
  return [
    ...Object.entries({ ...SECURITY_HEADERS, 'content-security-policy': widenPolicy(POLICY, tags) }),
    ...(isSecure ? [['strict-transport-security', `max-age=${HSTS_SECONDS}`] as [string, string]] : []),
  ]
}

/** The headers of every answer of this server. */
export function serverHeaders(site: { siteUrl: string }): [name: string, value: string][] {
  const reporting = new Map(securityHeaders(site))
    .set('content-security-policy', `${POLICY}; ${REPORTING}`)
    .set('reporting-endpoints', `csp="${CSP_REPORTS_PATH}"`)
  return [...reporting]
}
