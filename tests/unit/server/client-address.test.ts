import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import {
  createAddressList,
  createClientAddress,
  createExactAddress,
} from '#src/server/http/client-address.ts'

function aRequest(remoteAddress: string, headers: Record<string, string> = {}) {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

const forwardedFor = (value: string) => ({ 'x-forwarded-for': value })

const CASES: [string, number | string[], string, Record<string, string>, string][] = [
  ['without proxies the headers are ignored', 0, '192.0.2.1', forwardedFor('198.51.100.9'), '192.0.2.1'],
  ['one hop: the rightmost', 1, '10.0.0.1', forwardedFor('1.2.3.4, 198.51.100.9'), '198.51.100.9'],
  [
    'two hops: the second from the right',
    2,
    '10.0.0.1',
    forwardedFor('1.2.3.4, 198.51.100.9, 10.0.0.2'),
    '198.51.100.9',
  ],
  [
    'more hops than addresses: the leftmost that a proxy wrote',
    3,
    '10.0.0.1',
    forwardedFor('198.51.100.9'),
    '198.51.100.9',
  ],
  ['a hop without a header: the peer', 1, '10.0.0.1', {}, '10.0.0.1'],
  [
    'CIDRs: the first from the right that is no proxy',
    ['10.0.0.0/8'],
    '10.0.0.1',
    forwardedFor('1.2.3.4, 198.51.100.9, 10.0.0.2'),
    '198.51.100.9',
  ],
  [
    'CIDRs: a peer that is no proxy says nothing',
    ['10.0.0.0/8'],
    '192.0.2.1',
    forwardedFor('1.2.3.4'),
    '192.0.2.1',
  ],
  [
    'CIDRs: an IPv6 proxy',
    ['::1'],
    '::1',
    { forwarded: 'for=198.51.100.9;proto=https, for="[::1]:80"' },
    '198.51.100.9',
  ],
  ['Forwarded with port and quotes', 1, '10.0.0.1', { forwarded: 'For="198.51.100.9:4711"' }, '198.51.100.9'],
  [
    'headers that disagree count for nothing',
    1,
    '10.0.0.1',
    { ...forwardedFor('1.2.3.4'), forwarded: 'for=198.51.100.9' },
    '10.0.0.1',
  ],
  [
    'what is no address ends the trail',
    2,
    '10.0.0.1',
    forwardedFor('1.2.3.4, unknown, 10.0.0.2'),
    '10.0.0.2',
  ],
  ['IPv6 counts by its /64', 0, '2001:DB8:0:1:aaaa::5', {}, '2001:db8:0:1::/64'],
  ['… written in full', 0, '2001:0db8:0000:0001:0:0:0:5', {}, '2001:db8:0:1::/64'],
  ['… written short', 0, '2001:db8::5', {}, '2001:db8:0:0::/64'],
  ['… with its end in the last group', 0, '1:2:3::', {}, '1:2:3:0::/64'],
  ['… with its gap in the middle', 0, '1::5:6:7:8:9', {}, '1:0:0:5::/64'],
  ['… with its gap in front', 0, '::3:4:5:6:7:8', {}, '0:0:3:4::/64'],
  ['… with an IPv4 tail', 0, '1::5:6:7:192.0.2.1', {}, '1:0:0:5::/64'],
  [
    'a proxy’s own header may name itself only',
    ['10.0.0.0/8'],
    '10.0.0.1',
    forwardedFor('10.0.0.3, 10.0.0.2'),
    '10.0.0.3',
  ],
  [
    'both headers may agree',
    1,
    '10.0.0.1',
    { ...forwardedFor('198.51.100.9'), forwarded: 'proto=https; FOR=198.51.100.9' },
    '198.51.100.9',
  ],
  ['a header without an address', 1, '10.0.0.1', { forwarded: 'proto=https' }, '10.0.0.1'],
  ['a socket without an address', 0, '', {}, '0.0.0.0'],
  ['… with a zone', 0, 'fe80::1%eth0', {}, 'fe80:0:0:0::/64'],
  ['IPv4 inside IPv6 is IPv4', 0, '::ffff:192.0.2.1', {}, '192.0.2.1'],
  ['… in hexadecimal', 1, '10.0.0.1', forwardedFor('::ffff:c000:24d'), '192.0.2.77'],
  ['… in full', 1, '10.0.0.1', forwardedFor('0:0:0:0:0:FFFF:c000:24d'), '192.0.2.77'],
  ['… with zeros in front', 1, '10.0.0.1', forwardedFor('0000:0000::ffff:c000:024d'), '192.0.2.77'],
  ['… and a longer address is not', 1, '10.0.0.1', forwardedFor('::ffff:0:c000:24d'), '0:0:0:0::/64'],
]

for (const [name, proxies, peer, headers, expected] of CASES) {
  test(`contract §2 TRUSTED_PROXIES: ${name}`, () => {
    assert.equal(createClientAddress(proxies)(aRequest(peer, headers)), expected)
  })
}

test('contract §2 a forged header doesn’t change the address that a trusted proxy set', () => {
  for (const forged of ['', ',', '9.9.9.9', '10.0.0.9, 10.0.0.8', 'for=1', '[::1', '1.1.1.1:99999', '%']) {
    const headers = forwardedFor(`${forged}, 198.51.100.9`)
    assert.equal(createClientAddress(1)(aRequest('10.0.0.1', headers)), '198.51.100.9', forged)
    assert.equal(createClientAddress(['10.0.0.0/8'])(aRequest('10.0.0.1', headers)), '198.51.100.9', forged)
  }
})

test('an exact address is the visitor’s own, and unknown when a trusted proxy names none', () => {
  for (const [proxies, peer, headers, expected] of [
    [0, '2001:db8::5', {}, '2001:db8::5'],
    [0, '192.0.2.1', forwardedFor('198.51.100.9'), '192.0.2.1'],
    [[], '192.0.2.1', forwardedFor('198.51.100.9'), '192.0.2.1'],
    [[], '192.0.2.1', { forwarded: 'for=198.51.100.9' }, '192.0.2.1'],
    [1, '10.0.0.1', forwardedFor('198.51.100.9'), '198.51.100.9'],
    [1, '10.0.0.1', {}, '10.0.0.1'],
    [1, '10.0.0.1', forwardedFor('unknown'), undefined],
    [1, '10.0.0.1', { forwarded: 'for=unknown' }, undefined],
    [['10.0.0.0/8'], '10.0.0.1', forwardedFor(''), undefined],
    [['10.0.0.0/8'], '192.0.2.1', forwardedFor('198.51.100.9'), '192.0.2.1'],
  ] as const)
    assert.equal(
      createExactAddress(proxies)(aRequest(peer, headers)),
      expected,
      `${proxies} ${JSON.stringify(headers)}`,
    )
})

test('a list has the addresses of its ranges', () => {
  const isListed = createAddressList(['192.0.2.0/24', '198.51.100.9', '2001:db8::/32', '::1'])
  for (const [address, is] of [
    ['192.0.2.255', true],
    ['192.0.3.0', false],
    ['198.51.100.9', true],
    ['198.51.100.8', false],
    ['198.51.101.9', false],
    ['2001:db8:ffff::1', true],
    ['2001:db9::1', false],
    ['::1', true],
    ['::2', false],
  ] as const)
    assert.equal(isListed(address), is, address)
})
