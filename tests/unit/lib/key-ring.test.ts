import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRingBox, fixedRing, newestKey } from '#src/lib/key-ring.ts'
import { createSecretBox } from '#src/lib/secret-box.ts'

const [NEW, FORMER, OTHER] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const PLACE = 'form_webhooks.signing_secret.7'
const box = createRingBox(fixedRing(NEW, FORMER))

test('the newest key encrypts, and every key of the ring decrypts', () => {
  assert.equal(newestKey(fixedRing(NEW, FORMER)), NEW)
  assert.equal(createSecretBox(NEW).open(box.seal('a text', PLACE), PLACE), 'a text')
  for (const key of [NEW, FORMER])
    assert.equal(box.open(createSecretBox(key).seal('a text', PLACE), PLACE), 'a text')
  const foreign = createSecretBox(OTHER).seal('a text', PLACE)
  assert.throws(() => box.open(foreign, PLACE))
  assert.throws(() => box.open(createSecretBox(FORMER).seal('a text', 'elsewhere'), PLACE))
})

test('only secrets of former keys are re-encrypted', () => {
  const renewed = box.renew(createSecretBox(FORMER).seal('a text', PLACE), PLACE)
  assert.equal(createSecretBox(NEW).open(renewed, PLACE), 'a text')
  assert.equal(box.renew(renewed, PLACE), renewed)
  assert.throws(() => box.renew(createSecretBox(OTHER).seal('a text', PLACE), PLACE))
  assert.throws(() => box.renew(renewed, 'elsewhere'))
})

test('keys added to the ring apply at once', () => {
  const keys = [FORMER]
  const following = createRingBox(() => keys)
  const sealed = following.seal('a text', PLACE)
  keys.unshift(NEW)
  assert.equal(following.open(sealed, PLACE), 'a text')
  assert.equal(createSecretBox(NEW).open(following.seal('b', PLACE), PLACE), 'b')
})

test('an empty ring neither encrypts nor decrypts', () => {
  const empty = createRingBox(fixedRing())
  for (const use of [
    () => empty.seal('a', PLACE),
    () => empty.open('v1.AA', PLACE),
    () => empty.renew('v1.AA', PLACE),
  ])
    assert.throws(use, /key ring is empty/)
})

test('if no key decrypts a text, the error is that of the newest key', () => {
  const ring = createRingBox(fixedRing(NEW, FORMER))
  assert.throws(() => ring.open('v2.AA', PLACE), /not in a known form/)
  assert.throws(() => ring.open(createSecretBox(OTHER).seal('a', PLACE), PLACE), /authenticate/)
})
