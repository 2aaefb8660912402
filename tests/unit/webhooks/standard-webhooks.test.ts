import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { signatureHeaders, signingKey } from '../../../src/webhooks/signatures.ts'

const RUNS = 1_000

const body = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value))
const textSecret = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
const encodedSecret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)
const secret = fc.oneof(
  textSecret.filter((text) => !text.startsWith('whsec_')),
  encodedSecret,
)

/** The secret as the library wants it: base64 of the key. */
function libraryKey(text: string) {
  return text.startsWith('whsec_') ? text : Buffer.from(text, 'utf8').toString('base64')
}

/** The key as HMAC (RFC 2104) fills it up: `a` and `a\0` sign alike. */
function filledKey(text: string) {
  return signingKey(text)
    .export()
    .toString('hex')
    .replace(/(?:00)+$/, '')
}

test('contract §6: standardwebhooks verifies 1,000 random bodies, each signed with a new and an old secret', () => {
  let verified = 0
  fc.assert(
    fc.property(body, secret, secret, secret, (text, newest, old, foreign) => {
      fc.pre(![newest, old].map(filledKey).includes(filledKey(foreign)))
      const timestamp = Math.floor(Date.now() / 1_000)
      const signed = signatureHeaders([newest, old].map(signingKey), { id: 'msg_1', timestamp, body: text })
      const headers = { ...signed, 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestamp) }
      for (const known of [newest, old]) {
        const value = new StandardWebhook(libraryKey(known)).verify(text, headers)
        assert.deepEqual(value, JSON.parse(text))
      }
      assert.throws(() => new StandardWebhook(libraryKey(foreign)).verify(text, headers))
      assert.throws(() => new StandardWebhook(libraryKey(newest)).verify(`${text} `, headers))
      verified += 1
    }),
    { numRuns: RUNS, examples: [['{}', 'a', 'b', 'a\0']] },
  )
  assert.equal(verified, RUNS)
})
