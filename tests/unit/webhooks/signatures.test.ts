import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { isUsableSecret, signatureHeaders, signingKey } from '#src/webhooks/sending/signatures.ts'

const ENCODED_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function aMessage({ body = '{"a":1}', timestamp = Math.floor(Date.now() / 1_000) } = {}) {
  return { id: 'msg_1', timestamp, body }
}

test('§5.2 X-Signature matches GitHub’s published example', () => {
  const headers = signatureHeaders(
    [signingKey("It's a Secret to Everybody")],
    aMessage({ body: 'Hello, World!' }),
  )
  const expected = '757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  assert.equal(headers['x-signature'], `sha256=${expected}`)
})

test('contract §6: webhook-signature matches Standard Webhooks’ published example', () => {
  const headers = signatureHeaders([signingKey(ENCODED_SECRET)], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
    body: '{"test": 2432232314}',
  })
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('§5.2 without a secret there is no signature', () => {
  assert.deepEqual(signatureHeaders([], aMessage()), {})
})

for (const valid of ['new secret', 'old secret']) {
  test(`contract §6: with two secrets a receiver that knows the ${valid} verifies`, () => {
    const message = aMessage({ body: '{"text":"žluťoučký ✓"}' })
    const { 'webhook-signature': signature = '' } = signatureHeaders(
      ['new secret', 'old secret'].map(signingKey),
      message,
    )
    const key = Buffer.from(valid).toString('base64')
    const headers = {
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signature,
    }
    assert.equal(signature.split(' ').length, 2)
    assert.ok(new StandardWebhook(key).verify(message.body, headers))
    assert.throws(() => new StandardWebhook(key).verify(`${message.body} `, headers))
  })
}

const SECRETS: [string, boolean][] = [
  ['any text', true],
  [ENCODED_SECRET, true],
  ['', false],
  ['whsec_', false],
  ['whsec_not base64!', false],
  ['whsec_==', false],
  ['whsec_A', false],
]

for (const [secret, usable] of SECRETS) {
  test(`${JSON.stringify(secret)} can ${usable ? '' : 'not '}sign`, () => {
    assert.equal(isUsableSecret(secret), usable)
  })
}
