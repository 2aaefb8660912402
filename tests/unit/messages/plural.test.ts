import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countOf } from '#src/messages/plural.ts'

test('a count agrees with its noun and separates thousands', () => {
  const pages = { one: 'page', other: 'pages' }
  assert.deepEqual(
    [0, 1, 999, 1_204, 100_000].map((count) => countOf(count, pages)),
    ['0 pages', '1 page', '999 pages', '1,204 pages', '100,000 pages'],
  )
})
