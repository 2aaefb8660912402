import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecretBox, openSecret, renewOrKeep } from '#src/lib/secret-box.ts'

const PLACE = 'form_webhooks.signing_secret.7'
const box = createSecretBox(randomBytes(32))

test('a secret decrypts in the place it was encrypted for', () => {
  for (const secret of ['whsec_abc', '', 'ünïcödé 🔑', 'x'.repeat(10_000)]) {
    assert.equal(box.open(box.seal(secret, PLACE), PLACE), secret)
  }
})

test('a ciphertext reveals nothing and differs each time', () => {
  const sealed = box.seal('whsec_abc', PLACE)
  assert.match(sealed, /^v1\.[\w-]+$/)
  assert.doesNotMatch(Buffer.from(sealed.slice('v1.'.length), 'base64url').toString('latin1'), /whsec/)
  assert.notEqual(box.seal('whsec_abc', PLACE), sealed)
})

test('a ciphertext can’t be moved to another row', () => {
  const sealed = box.seal('whsec_abc', PLACE)
  assert.throws(() => box.open(sealed, 'form_webhooks.signing_secret.8'))
})

test('another key decrypts nothing', () => {
  assert.throws(() => createSecretBox(randomBytes(32)).open(box.seal('whsec_abc', PLACE), PLACE))
})

test('a change of any byte is detected', () => {
  const bytes = Buffer.from(box.seal('whsec_abc', PLACE).slice('v1.'.length), 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    assert.throws(() => box.open(`v1.${changed.toString('base64url')}`, PLACE), `byte ${index}`)
  }
})

test('a ciphertext with a truncated tag is refused', () => {
  const bytes = Buffer.from(box.seal('', PLACE).slice('v1.'.length), 'base64url')
  assert.throws(() => box.open(`v1.${bytes.subarray(0, 16).toString('base64url')}`, PLACE))
})

test('a ciphertext has one encoding', () => {
  const sealed = box.seal('whsec_abc', PLACE)
  const last = sealed.at(-1) === 'A' ? 'B' : 'A'
  for (const other of [`${sealed}.1`, `${sealed}=`, ` ${sealed}`, `${sealed} `, sealed.slice(0, -1) + last]) {
    assert.throws(() => box.open(other, PLACE), other)
  }
})

test('a text that isn’t a ciphertext is refused with its place', () => {
  for (const text of ['', 'plain', 'v1.', 'v2.AAAA']) {
    assert.throws(
      () => box.open(text, PLACE),
      /secret of form_webhooks\.signing_secret\.7 is not in a known form/,
    )
  }
})

test('an undecryptable secret is undefined and stays unchanged in a key rotation', () => {
  const sealed = box.seal('x', PLACE)
  const other = { secretBox: createSecretBox(randomBytes(32)) }
  assert.equal(openSecret(sealed, PLACE, { secretBox: box }), 'x')
  for (const [text, place] of [
    [null, PLACE],
    [undefined, PLACE],
    [sealed, 'elsewhere'],
    ['v1.', PLACE],
  ] as const)
    assert.equal(openSecret(text, place, { secretBox: box }), undefined, String(text))
  assert.equal(openSecret(sealed, PLACE, other), undefined)
  assert.equal(renewOrKeep(sealed, PLACE, other.secretBox), sealed)
  assert.equal(renewOrKeep(sealed, PLACE, box), sealed)
})

test('a secret that is not set, or that no key decrypts, is none', () => {
  assert.equal(openSecret(box.seal('whsec_abc', PLACE), PLACE, { secretBox: box }), 'whsec_abc')
  assert.equal(openSecret('v1.AA', PLACE, { secretBox: box }), undefined)
  let asked = 0
  const counting = {
    ...box,
    open() {
      asked += 1
      return ''
    },
  }
  for (const none of [null, undefined])
    assert.equal(openSecret(none, PLACE, { secretBox: counting }), undefined)
  assert.equal(asked, 0)
})
