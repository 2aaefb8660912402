import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { wrongRange } from '../../messages/admin/webhooks/destinations.ts'

/** The addresses that webhooks may reach. */
export interface DestinationPolicy {
  /** Returns true if a connection to this address and port may be opened. False for text that is not an IP address. */
  permits(address: string, port: number): boolean
  /** Returns true if `WEBHOOK_ALLOW` names this address and port: only there is plain `http:` accepted. */
  isAllowListed(address: string, port: number): boolean
}

// IANA's special-purpose registry: everything that is not globally reachable unicast.
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Looks public, but every virtual machine on Azure reaches its host's metadata there.
  '168.63.129.16/32',
]
const PUBLIC_IPV6 = ['2000::/3']
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const refused = blockListOf([...REFUSED_IPV4, ...REFUSED_IPV6])
const publicIpv6 = blockListOf(PUBLIC_IPV6)

/**
 * Everything public, and what `allow` (the parts of `WEBHOOK_ALLOW`) adds: CIDRs or single addresses, each optionally
 * with a port: `127.0.0.0/8`, `10.0.0.5/32:8080`, `10.0.0.5:8080`, `::1/128`, `[::1]/128:9000`, `[::1]:9000`.
 * Throws when a part is none of these.
 */
export function createDestinationPolicy(allow: readonly string[]): DestinationPolicy {
  const ranges = allow.map(parseAllowedRange)
  const isAllowListed = (address: string, port: number) => {
    const plain = canonicalAddress(address)
    return plain !== undefined && ranges.some((range) => range.has(plain, port))
  }
  return {
    isAllowListed,
    permits: (address, port) => isAllowListed(address, port) || isPublicAddress(address),
  }
}

/** Returns whether an address is globally reachable unicast. IPv4 inside IPv6 is judged as the IPv4 address that it is. */
export function isPublicAddress(address: string): boolean {
  const plain = canonicalAddress(address)
  if (plain === undefined) return false
  if (isIPv4(plain)) return !refused.check(plain, 'ipv4')
  return publicIpv6.check(plain, 'ipv6') && !refused.check(plain, 'ipv6')
}

function parseAllowedRange(text: string) {
  const match = /^(?:\[([0-9a-f:.]+)\]|([0-9a-f:]*::?[0-9a-f:.]*|[\d.]+))(\/\d{1,3})?(?::(\d{1,5}))?$/i.exec(
    text,
  )
  const address = match?.[1] ?? match?.[2] ?? ''
  // Without brackets the end of an IPv6 address and a port look the same: `::1/128:9000` is clear, `::1:9000` is not.
  const port = match?.[4] === undefined ? undefined : Number(match[4])
  const cidr = `${address}${match?.[3] ?? (isIPv6(address) ? '/128' : '/32')}`
  if (!isCidr(cidr) || (port ?? 1) < 1 || (port ?? 1) > 65_535) throw new Error(wrongRange(text))
  const list = blockListOf([cidr])
  return {
    has: (plain: string, onPort: number) =>
      (port === undefined || port === onPort) && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6'),
  }
}

function isCidr(text: string): boolean {
  const [address = '', prefix = ''] = text.split('/')
  if (isIPv4(address)) return Number(prefix) <= 32
  return isIPv6(address) && Number(prefix) <= 128
}

function blockListOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', prefix] = cidr.split('/')
    list.addSubnet(address, Number(prefix), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  return list
}

// One spelling for each address: the URL parser's. Zone identifiers are refused by it.
function canonicalAddress(address: string): string | undefined {
  if (isIPv4(address)) return address
  const inUrl = isIPv6(address) ? URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) : undefined
  return inUrl === undefined ? undefined : (mappedIpv4(inUrl) ?? inUrl)
}

function mappedIpv4(address: string): string | undefined {
  const match = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address)
  if (!match) return undefined
  const [high, low] = [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
