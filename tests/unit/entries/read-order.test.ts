import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wholeOrder } from '#src/entries/types/read-order.ts'

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
