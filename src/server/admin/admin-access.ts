import type { IncomingMessage } from 'node:http'
import type { App } from '../../app.ts'
import type { Config } from '../../config.ts'
import { createAddressList, createExactAddress } from '../http/client-address.ts'

type Access = Pick<Config, 'adminHost' | 'adminAllow' | 'trustedProxies'>

/** Returns whether a request may reach the admin: by its host (`ADMIN_HOST`) and the address of its client (`ADMIN_ALLOW`). */
export function createAdminAccess({
  config: { adminHost, adminAllow, trustedProxies },
  refusals,
}: Pick<App, 'refusals'> & { config: Access }): (request: IncomingMessage) => boolean {
  const isAllowed = adminAllow.length === 0 ? () => true : byAddress(adminAllow, trustedProxies)
  return (request) => {
    const mayReach = (adminHost === undefined || isHost(request, adminHost)) && isAllowed(request)
    if (!mayReach) refusals.note('forbidden', request)
    return mayReach
  }
}

/** Returns whether a request names this host. */
export function isHost({ headers }: IncomingMessage, host: string): boolean {
  return headers.host?.toLowerCase() === host
}

// A client without a trustworthy address is not on the list.
function byAddress(ranges: readonly string[], trustedProxies: Access['trustedProxies']) {
  const addressOf = createExactAddress(trustedProxies)
  const isListed = createAddressList(ranges)
  return (request: IncomingMessage) => {
    const address = addressOf(request)
    return address !== undefined && isListed(address)
  }
}
