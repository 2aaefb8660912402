import assert from 'node:assert/strict'
import { test } from 'node:test'
import { securityText } from '#src/site/well-known/security-text.ts'

const SETTINGS = { contact: 'mailto:security@example.com', siteUrl: 'https://www.example.com' }
const DAY_MS = 86_400_000

test('RFC 9116 security.txt names the contact, the address, and when it expires', () => {
  assert.equal(
    securityText(SETTINGS, new Date('2026-11-22T20:00:00Z')),
    'Contact: mailto:security@example.com\nExpires: 2027-10-01T00:00:00Z\nCanonical: https://www.example.com/.well-known/security.txt\n',
  )
})

test('RFC 9116 §2.5.5 security.txt expires within a year, and never within 300 days', () => {
  for (let day = 0; day < 800; day += 1) {
    const now = Date.UTC(2026, 0, 1) + day * DAY_MS
    const expires = Date.parse(/Expires: (\S+)/.exec(securityText(SETTINGS, new Date(now)))?.[1] ?? '')
    const days = (expires - now) / DAY_MS
    assert.ok(days > 300 && days < 365, `${new Date(now).toISOString()}: ${days}`)
  }
})
