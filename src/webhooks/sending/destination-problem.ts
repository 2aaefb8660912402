import { isIP } from 'node:net'
import { listNames } from '../../lib/environment-values.ts'
import { destinationProblems } from '../../messages/admin/webhooks/destinations.ts'
import { createDestinationPolicy } from './destination-address.ts'

// RFC 6761 §6.3: names of this machine, whatever DNS says.
const LOOPBACK_NAME = /(^|\.)localhost\.?$/
const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Returns why a webhook can never be sent to its URL, given `WEBHOOK_ALLOW`. Undefined when it can, or when only DNS
 * or the environment can tell.
 */
export function findDestinationProblem(url: string, allow: readonly string[]): string | undefined {
  const parsed = listNames(url).length > 0 ? null : URL.parse(url)
  if (!parsed) return undefined
  const isPlain = parsed.protocol === 'http:'
  const host = parsed.hostname.replace(/^\[|\]$/g, '')
  const port = Number(parsed.port) || (isPlain ? 80 : 443)
  const policy = createDestinationPolicy(allow)
  const addresses = isIP(host) ? [host] : LOOPBACK_NAME.test(host) ? LOOPBACK : []
  if (addresses.length > 0 && !addresses.some((address) => policy.permits(address, port)))
    return destinationProblems.notPublic(host)
  // Any name may lead to an address that is allowed.
  const isAllowed = isIP(host) ? policy.isAllowListed(host, port) : allow.length > 0
  if (!isPlain || isAllowed) return undefined
  return destinationProblems.plainHttp
}
