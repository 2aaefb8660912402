import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLeaseWatch } from '#src/lib/background/lease-watch.ts'

const LEASE_MS = 4_000
const aClaim = (id: number, leaseExpiresAt: string) => ({ id, leaseExpiresAt })

/** The ids that are dead at each look, one a second. */
function looks(claims: readonly (readonly ReturnType<typeof aClaim>[])[]) {
  const watch = createLeaseWatch(LEASE_MS)
  return claims.map((present, second) => watch.findDead(present, second * 1_000).map(({ id }) => id))
}

test('a claim unchanged for a lease is dead; a renewed or new one isn’t', () => {
  const renewed = ['a', 'a', 'b', 'b', 'c', 'c'].map((lease) => [aClaim(1, 'same'), aClaim(2, lease)])
  assert.deepEqual(looks(renewed), [[], [], [], [], [1], [1]])
})

test('a process suspended for a minute declares no other suspended process dead', () => {
  const watch = createLeaseWatch(LEASE_MS)
  const claims = [aClaim(1, 'same')]
  const found = [0, 1_000, 61_000, 62_000, 63_000].map((now) => watch.findDead(claims, now).length)
  assert.deepEqual(found, [0, 0, 0, 0, 1])
})
