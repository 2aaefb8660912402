import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** The visitor's address as limits count it: an IPv4 address, or the /64 of an IPv6 address (`2001:db8:0:1::/64`). */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * Reads addresses behind trusted proxies. Each proxy appends the address of its client to `X-Forwarded-For` or
 * `Forwarded` (RFC 7239), so only the entries that trusted proxies added count, from the right. `trustedProxies` is the
 * number of hops, or their CIDRs; 0 or none ignores the headers.
 */
export function createClientAddress(trustedProxies: number | readonly string[]): ClientAddress {
  const choose = chooserFor(trustedProxies)
  return (request) => {
    const peer = peerOf(request)
    return networkOf(choose(peer, request) ?? peer)
  }
}

/**
 * Reads the visitor's full address by the same rules, for lists of allowed clients. Undefined when the trusted headers
 * name none or contradict each other: the proxy's address must not count as its visitors'.
 */
export function createExactAddress(
  trustedProxies: number | readonly string[],
): (request: IncomingMessage) => string | undefined {
  const choose = chooserFor(trustedProxies)
  const trustsNobody = trustedProxies === 0 || (Array.isArray(trustedProxies) && trustedProxies.length === 0)
  return (request) => {
    const peer = peerOf(request)
    const isForwarded =
      request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
    return choose(peer, request) ?? (isForwarded && !trustsNobody ? undefined : peer)
  }
}

/** Returns whether an address is in one of these CIDRs. */
export function createAddressList(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const version = isIPv4(address) ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(bits ?? (version === 'ipv4' ? 32 : 128)), version)
  }
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function chooserFor(trustedProxies: number | readonly string[]): Choose {
  return typeof trustedProxies === 'number' ? byHops(trustedProxies) : byRanges(trustedProxies)
}

function peerOf({ socket }: IncomingMessage): string {
  return plainAddress(socket.remoteAddress ?? '') ?? '0.0.0.0'
}

type Choose = (peer: string, request: IncomingMessage) => string | undefined

function byHops(hops: number): Choose {
  if (hops === 0) return () => undefined
  return (_peer, request) => {
    const forwarded = forwardedAddresses(request)
    return forwarded[Math.max(forwarded.length - hops, 0)]
  }
}

function byRanges(ranges: readonly string[]): Choose {
  const isTrusted = createAddressList(ranges)
  return (peer, request) => {
    if (!isTrusted(peer)) return peer
    const forwarded = forwardedAddresses(request)
    return forwarded.findLast((address) => !isTrusted(address)) ?? forwarded[0]
  }
}

// If the proxy sets only one of the two headers, visitors can write the other: when they disagree, neither counts.
function forwardedAddresses({ headers }: IncomingMessage): string[] {
  const commonHeader = headers['x-forwarded-for']
  const common = commonHeader === undefined ? undefined : splitList(String(commonHeader))
  const standard = headers.forwarded === undefined ? undefined : splitList(headers.forwarded).map(forOf)
  const chain = validTail(common ?? standard ?? [])
  const isAgreed = !common || !standard || chain.join() === validTail(standard).join()
  return isAgreed ? chain : []
}

function splitList(header: string): string[] {
  return header.split(',').map((part) => part.trim())
}

function forOf(element: string): string {
  return /(?:^|;)\s*for="?([^";]*)"?/i.exec(element)?.[1] ?? ''
}

// A proxy doesn't write anything to the left of something that is not an address.
function validTail(chain: readonly string[]): string[] {
  const addresses = chain.map(plainAddress)
  const lastWrong = addresses.lastIndexOf(undefined)
  return addresses.slice(lastWrong + 1) as string[]
}

// `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]:80`, `2001:db8::1%eth0`; IPv4 inside IPv6 is the IPv4 address.
function plainAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1]
  const address = (bracketed ?? text.replace(/^([\d.]+):\d+$/, '$1')).replace(/%.*$/, '')
  return isIP(address) === 0 ? undefined : (mappedAddress(address) ?? address)
}

const ZERO_GROUPS = /^(?:(?:0{1,4}:){5}|(?:0{1,4}:){0,4}:|::)ffff:/i

// RFC 4291 §2.5.5.2: `::ffff:192.0.2.1`, also written `::ffff:c000:201` or without the short form.
function mappedAddress(address: string): string | undefined {
  const rest = ZERO_GROUPS.test(address) ? address.replace(ZERO_GROUPS, '') : ''
  if (isIPv4(rest)) return rest
  const [, high, low] = /^([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(rest) ?? []
  if (high === undefined || low === undefined) return undefined
  const bytes = Buffer.alloc(4)
  bytes.writeUInt16BE(Number.parseInt(high, 16), 0)
  bytes.writeUInt16BE(Number.parseInt(low, 16), 2)
  return bytes.join('.')
}

function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [left = '', right] = address.split('::')
  const head = left === '' ? [] : left.split(':')
  const tail = right === undefined || right === '' ? [] : right.split(':')
  // An IPv4 tail takes the place of two groups; both are beyond the first four.
  const tailLength = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0)
  const gap = right === undefined ? [] : Array(Math.max(8 - head.length - tailLength, 0)).fill('0')
  const groups = [...head, ...gap, ...tail].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
