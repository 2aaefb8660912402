import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertWithin } from '../support/assert-within.ts'

test('a time within its limit passes, and one far beyond fails on any machine', () => {
  assertWithin(100, 100)
  assert.throws(() => assertWithin(1_000_000, 100, 'The answer'), {
    message: /^The answer took 1000000 ms; expected at most 100 ms, or \d+\.\d times that/,
  })
})
