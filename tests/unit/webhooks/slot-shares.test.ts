import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareOf } from '#src/webhooks/dispatching/slot-shares.ts'

const NOTHING = { perOrigin: 0, mayExceed: false }
const EIGHT = { perOrigin: 8, mayExceed: true }
const among =
  (...counts: [id: string, counted: number][]) =>
  (id: string, before = NOTHING) =>
    shareOf(
      counts.map(([one, counted]) => ({ id: one, counted })),
      { id, perOrigin: 8, before },
    )

test('a single dispatcher has all slots of an origin', () => {
  assert.deepEqual(among(['a', 1])('a'), EIGHT)
})

test('a joining dispatcher has no slots until the others count it', () => {
  const joining = among(['a', 1], ['b', 2])
  assert.deepEqual([joining('a', EIGHT).perOrigin, joining('b').perOrigin], [4, 0])
  const joined = among(['a', 2], ['b', 2])
  assert.deepEqual([joined('a').perOrigin, joined('b').perOrigin], [4, 4])
})

test('all shares add up to the limit, which one may exceed while all attempts hang', () => {
  const three = among(['a', 3], ['b', 3], ['c', 3])
  assert.deepEqual(
    ['a', 'b', 'c'].map((id) => three(id)),
    [
      { perOrigin: 3, mayExceed: true },
      { perOrigin: 3, mayExceed: false },
      { perOrigin: 2, mayExceed: false },
    ],
  )
})

test('a dispatcher the others no longer see keeps its slots', () => {
  assert.deepEqual(among(['b', 1])('a', EIGHT), EIGHT)
})
