import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownLink, typedAddress } from '#src/admin/editing/links/markdown-link.ts'

test('addresses are told from names of pages', () => {
  const cases: [typed: string, address: string | undefined][] = [
    ['/contact', '/contact'],
    [' /services/ac-repair#prices ', '/services/ac-repair#prices'],
    ['https://example.com/a b', undefined],
    ['https://example.com/a', 'https://example.com/a'],
    ['http://example.com', 'http://example.com'],
    ['/', '/'],
    ['example.com/prices', 'https://example.com/prices'],
    ['www.example.com', 'https://www.example.com'],
    ['www.my-shop.example.co.uk?a=b', 'https://www.my-shop.example.co.uk?a=b'],
    ['see example.com', undefined],
    ['example.com is good', undefined],
    ['ask office@example.com', undefined],
    ['office@example.com now', undefined],
    ['office@example.com', 'mailto:office@example.com'],
    ['tel:+15125550142', 'tel:+15125550142'],
    ['AC repair', undefined],
    ['contact', undefined],
    ['', undefined],
    ['javascript:alert(1)', undefined],
  ]
  for (const [typed, address] of cases) assert.equal(typedAddress(typed), address, typed)
})

test('a link keeps its text and address whole', () => {
  assert.equal(markdownLink('our [best] prices', '/a_(b)'), '[our \\[best\\] prices](/a_%28b%29)')
  assert.equal(markdownLink('a', '/b c<d>'), '[a](/b%20c%3Cd%3E)')
  assert.equal(markdownLink(' ', '/contact'), '[/contact](/contact)')
})
