import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, sha256Hex } from '#src/lib/canonical-json.ts'

test('equal values have equal text, whatever the order of their keys, at every depth', () => {
  assert.equal(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' }), '{"a":"x","b":[{"c":null,"d":1}]}')
  assert.equal(canonicalJson({ a: { y: 1, x: 2 } }), canonicalJson({ a: { x: 2, y: 1 } }))
})

test('the order of a list counts', () => {
  assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1]))
})

test('a key without a value is left out, null is kept', () => {
  assert.equal(canonicalJson({ a: undefined, b: null }), '{"b":null}')
})

test('any JSON value comes back from its canonical text', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      // Through text first: JSON has no -0 and no object without a prototype.
      const plain = JSON.parse(JSON.stringify(value))
      assert.deepEqual(JSON.parse(canonicalJson(plain)), plain)
    }),
  )
})

test('sha256Hex gives the known hash of a text and of the same bytes', () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  assert.equal(sha256Hex('abc'), known)
  assert.equal(sha256Hex(new Uint8Array([97, 98, 99])), known)
})
