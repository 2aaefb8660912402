import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasOrder, inOrder, moveInOrder, positionOf } from '#src/entries/editing/order-entries.ts'

test('entries are in the order of their positions; those without one come last, by slug', () => {
  const entries = [
    { slug: 'd', data: {} },
    { slug: 'a', data: { position: 20 } },
    { slug: 'b', data: { position: '5' } },
    { slug: 'e', data: { position: 10 } },
    { slug: 'c', data: { position: 10 } },
  ]
  assert.deepEqual(
    inOrder(entries).map(({ slug }) => slug),
    ['c', 'e', 'a', 'b', 'd'],
  )
  assert.equal(positionOf({ data: { position: 0 } }), 0)
})

for (const [move, ids] of [
  ['up:2', [2, 1, 3]],
  ['down:2', [1, 3, 2]],
  ['up:1', [1, 2, 3]],
  ['down:3', [1, 2, 3]],
  ['up:9', [1, 2, 3]],
  ['', [1, 2, 3]],
] as const)
  test(`the move “${move}” makes the order ${ids}`, () => {
    assert.deepEqual(moveInOrder([{ id: 1 }, { id: 2 }, { id: 3 }], move), ids)
  })

test('a type with the field position is ordered by hand', () => {
  const field = (key: string) => ({ key, label: 'X', type: 'number' as const })
  assert.equal(hasOrder({ fields: [field('price'), field('position')] }), true)
  assert.equal(hasOrder({ fields: [field('price')] }), false)
})
