import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placesOfCondition } from '#src/conditions/condition-places.ts'
import type { Condition } from '#src/conditions/conditions.ts'

const place = (op: string, value?: unknown) => ({ field: 'meta.location_slug', op, value })

for (const [condition, places] of [
  [null, []],
  [place('within', 'texas'), ['texas']],
  [{ 'meta.location_slug': ['austin', 'dallas'] }, ['austin', 'dallas']],
  [{ not: { any: [place('eq', 'austin'), place('in', ['austin', 'ohio'])] } }, ['austin', 'ohio']],
  [{ role: 'owner' }, []],
  [place('starts_with', 'aus'), []],
  [place('empty'), []],
] as const)
  test(`the places of ${JSON.stringify(condition)} are ${places.join(', ') || 'none'}`, () => {
    assert.deepEqual(placesOfCondition(condition as Condition | null), places)
  })
