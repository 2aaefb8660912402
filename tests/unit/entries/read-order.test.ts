import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChoice, wholeOrder } from '#src/entries/types/read-order.ts'

const ALL = ['steps', 'gallery', 'places', 'faq']

for (const [chosen, whole] of [
  [['steps', 'places', 'faq'], ALL],
  [['gallery', 'places', 'faq'], ALL],
  [['steps', 'gallery', 'places'], ALL],
  [[], ALL],
  [
    ['faq', 'steps', 'places'],
    ['faq', 'steps', 'gallery', 'places'],
  ],
] as const)
  test(`with ${chosen.join(', ') || 'nothing'} chosen, other names keep their place`, () => {
    assert.deepEqual(wholeOrder(chosen, ALL), whole)
  })

test('a hidden name keeps the place it was moved to', () => {
  const posted = { all: ALL, place: ['2', '3', '4', '1'], shown: ['steps', 'gallery', 'places'] }
  const stored = readChoice(posted, ALL)
  assert.deepEqual(stored, ['-faq', 'steps', 'gallery', 'places'])
  assert.deepEqual(wholeOrder(stored, ALL), ['faq', 'steps', 'gallery', 'places'])
})
