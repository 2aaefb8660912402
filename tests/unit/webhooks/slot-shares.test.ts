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

test('a dispatcher alone has all slots of an origin', () => {
  assert.deepEqual(among(['a', 1])('a'), EIGHT)
})

test('one that joins has none until the others divide by as many', () => {
  const joining = among(['a', 1], ['b', 2])
  assert.deepEqual([joining('a', EIGHT).perOrigin, joining('b').perOrigin], [4, 0])
  const joined = among(['a', 2], ['b', 2])
  assert.deepEqual([joined('a').perOrigin, joined('b').perOrigin], [4, 4])
})

test('the shares of all are the limit together, and one of them may exceed it where all attempts hang', () => {
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

test('one that the others no longer see keeps what it has', () => {
  assert.deepEqual(among(['b', 1])('a', EIGHT), EIGHT)
})
