import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chunksOf, inParts } from '#src/lib/in-parts.ts'

test('items are split into non-empty lists of limited length', () => {
  const sizes = (count: number, size?: number) =>
    [...chunksOf(Array.from({ length: count }).keys(), size)].map(({ length }) => length)
  assert.deepEqual([sizes(0, 2), sizes(2, 2), sizes(5, 2)], [[], [2], [2, 2, 1]])
  assert.deepEqual(sizes(501), [500, 1])
  assert.deepEqual([...chunksOf('abc', 2)], [['a', 'b'], ['c']])
})

test('chunks are filled to their limit, and a larger item is its own chunk', () => {
  const parts = (...sizes: number[]) => inParts(sizes, { room: 10, sizeOf: (size) => size })
  assert.deepEqual(parts(), [])
  assert.deepEqual(parts(4, 6, 1), [[4, 6], [1]])
  assert.deepEqual(parts(4, 7), [[4], [7]])
  assert.deepEqual(parts(12, 3, 12), [[12], [3], [12]])
})
