import type { IncomingMessage } from 'node:http'
import { isbot } from 'isbot'
import { CLICK_KEYS, type Touch } from '../../db/tables/submission-source.ts'
import { sourceName } from '../../templates/source-name.ts'

const KEPT_AGENTS = 5_000
/** Browsers send shorter ones. A longer one would stay in memory. */
const LONGEST_AGENT = 1_000

/** The source of a view that came from another page of the site. */
export const ONSITE = 'onsite'
/** The source if none is recorded. */
export const UNKNOWN = 'unknown'

const TAGS = new Set<string>(CLICK_KEYS)
const robots = new Map<string, boolean>()

/**
 * Returns whether a person opens a page: not a declared bot (by isbot's list), not a prefetch, and not a script's
 * request.
 */
export function isOpenedByPerson({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET') return false
  if (headers['sec-purpose'] !== undefined || headers.purpose === 'prefetch') return false
  const destination = headers['sec-fetch-dest']
  return (destination === undefined || destination === 'document') && !isRobot(headers['user-agent'])
}

// Matching the list takes a few microseconds, and many visitors have the same user agent.
export function isRobot(agent = ''): boolean {
  if (agent === '' || agent.length > LONGEST_AGENT) return true
  const known = robots.get(agent)
  if (known !== undefined) return known
  if (robots.size >= KEPT_AGENTS) robots.clear()
  const is = isbot(agent)
  robots.set(agent, is)
  return is
}

/** Names where a view came from; `onsite` if from another page of the site. */
export function sourceOfRequest(
  { url = '', headers }: IncomingMessage,
  ownHosts: ReadonlySet<string>,
): string {
  const { referer: referrer } = headers
  const at = url.indexOf('?')
  if (headers['sec-gpc'] === '1') return UNKNOWN
  if (at < 0 && referrer === undefined) return 'direct'
  const touch: Touch = { ...tagsOf(at < 0 ? '' : url.slice(at)), ...(referrer && { referrer }) }
  const name = sourceName(touch, ownHosts)
  return name === 'direct' && referrer !== undefined ? ONSITE : name
}

function tagsOf(query: string): Touch {
  if (query.length < 2) return {}
  return Object.fromEntries([...new URLSearchParams(query)].filter(([key]) => TAGS.has(key)))
}
