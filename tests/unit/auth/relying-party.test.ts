import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relyingPartyOf } from '#src/auth/passkeys/relying-party.ts'

test('passkeys work over https and on localhost, and at no IP address', () => {
  for (const [address, host] of [
    ['https://www.example.com', 'www.example.com'],
    ['https://admin.example.com:8443', 'admin.example.com'],
    ['http://localhost:4321', 'localhost'],
    ['http://signpost.localhost', 'signpost.localhost'],
    ['http://www.example.com', undefined],
    ['https://192.0.2.7', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://127.0.0.1:4321', undefined],
  ] as const) {
    const party = relyingPartyOf(address)
    assert.deepEqual([party?.host, party?.origin], [host, host && address], address)
  }
})
