import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { generateSigningSecret } from '#src/webhooks/secrets/signing-secrets.ts'
import { signatureHeaders, signingKey } from '#src/webhooks/sending/signatures.ts'

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

test('contract §6: a generated secret is 32 random bytes that standardwebhooks takes as they are', () => {
  const [one, other] = [generateSigningSecret(), generateSigningSecret()]
  assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(one, other)
  assert.equal(signingKey(one).export().length, 32)
  const message = signedBy(one)
  assert.deepEqual(new StandardWebhook(one).verify(message.body, message.headers), { lead: 7 })
  assert.throws(() => new StandardWebhook(other).verify(message.body, message.headers))
})

test('docs/webhooks.md is right: standardwebhooks verifies whsec_ secrets and no others', () => {
  for (const secret of ['a secret', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']) {
    const message = signedBy(secret)
    assert.throws(() => new StandardWebhook(secret).verify(message.body, message.headers))
  }
  const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
  assert.match(guide, /its libraries\s+work only with `whsec_` secrets/)
})

function signedBy(secret: string) {
  const body = '{"lead":7}'
  const timestamp = Math.floor(Date.now() / 1_000)
  const signed = signatureHeaders([signingKey(secret)], { id: 'msg_1', timestamp, body })
  return { body, headers: { ...signed, 'webhook-id': 'msg_1', 'webhook-timestamp': String(timestamp) } }
}
