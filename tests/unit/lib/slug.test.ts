import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSlug } from '../../../src/lib/slug.ts'

for (const text of ['a', 'austin', 'ac-repair', '24-7-service', 'a'.repeat(80)]) {
  test(`"${text}" is a slug`, () => assert.equal(isSlug(text), true))
}

for (const text of [
  '',
  'Austin',
  'ac_repair',
  'a--b',
  '-a',
  'a-',
  'a/b',
  'a b',
  'é',
  'a\n',
  'a'.repeat(81),
]) {
  test(`${JSON.stringify(text)} is no slug`, () => assert.equal(isSlug(text), false))
}
