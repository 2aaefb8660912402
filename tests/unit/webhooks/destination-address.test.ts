import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDestinationPolicy, isPublicAddress } from '#src/webhooks/sending/destination-address.ts'
import { DENIED } from '../../support/denied-addresses.ts'

const ALLOWED = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  ...['128.0.0.1', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
  ...['198.20.0.0', '223.255.255.255', '2000::1', '2001:200::1', '2001:4860:4860::8888', '2606:4700::1111'],
  ...['2a00:1450:4001::1', '2001:db9::1', '2003::1', '3ffe:ffff::1', '::ffff:8.8.8.8', '::FFFF:0808:0808'],
  '2001:4860::ffff:7f00:1',
]

for (const address of DENIED) {
  test(`webhooks may not reach "${address}"`, () => {
    assert.equal(isPublicAddress(address), false)
    assert.equal(createDestinationPolicy([]).permits(address, 443), false)
  })
}

for (const address of ALLOWED) {
  test(`webhooks may reach ${address}`, () => {
    assert.equal(createDestinationPolicy([]).permits(address, 443), true)
    assert.equal(createDestinationPolicy([]).isAllowListed(address, 443), false)
  })
}

const ALLOW_CASES: [string, string, number, boolean][] = [
  ['127.0.0.0/8', '127.9.9.9', 80, true],
  ['127.0.0.0/8', '128.0.0.1', 80, false],
  ['127.0.0.0/8', '::ffff:127.0.0.1', 80, true],
  ['10.0.0.5/32:8080', '10.0.0.5', 8080, true],
  ['10.0.0.5/32:8080', '10.0.0.5', 8081, false],
  ['10.0.0.5/32:8080', '10.0.0.6', 8080, false],
  ['10.0.0.5', '10.0.0.5', 1, true],
  ['10.0.0.5:8080', '10.0.0.5', 8080, true],
  ['10.0.0.5:8080', '10.0.0.5', 80, false],
  ['::1/128', '::1', 80, true],
  ['::1', '0:0:0:0:0:0:0:1', 80, true],
  ['::1/128:9000', '::1', 9000, true],
  ['::1/128:9000', '::1', 80, false],
  ['[::1]/128:9000', '::1', 9000, true],
  ['[::1]:9000', '::1', 80, false],
  ['fd00::/8', 'fd12::7', 443, true],
  ['fd00::/8', 'fe00::7', 443, false],
  ['0.0.0.0/0', '192.168.1.1', 443, true],
  ['0.0.0.0/0', 'localhost', 443, false],
  ['::/0', 'fe80::1%eth0', 443, false],
  ['10.0.0.5:65535', '10.0.0.5', 65_535, true],
  ['64:ff9b::1.2.3.4/128', '64:ff9b::102:304', 80, true],
]

for (const [allow, address, port, expected] of ALLOW_CASES) {
  test(`WEBHOOK_ALLOW=${allow} ${expected ? 'allows' : 'does not allow'} ${address} port ${port}`, () => {
    assert.equal(createDestinationPolicy([allow]).isAllowListed(address, port), expected)
  })
}

for (const text of [
  'localhost',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.1:0',
  '10.0.0.1:70000',
  '10.0.0',
  '1:2',
  '/8',
  'x10.0.0.5',
  '10.0.0.5/8x',
  '10.0.0.1:65536',
  ':80',
]) {
  test(`WEBHOOK_ALLOW=${text} stops the start with a sentence`, () => {
    assert.throws(() => createDestinationPolicy([text]), /WEBHOOK_ALLOW has ".*"; expected CIDRs/)
  })
}

test('only an address that is all IPv4 inside IPv6 is judged as IPv4', () => {
  assert.equal(isPublicAddress('1::ffff:808:808'), false)
  assert.equal(isPublicAddress('::ffff:808:808'), true)
})
