import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugsOfConditions, slugsOfLeads } from '#src/conditions/condition-slugs.ts'
import type { Condition } from '#src/conditions/conditions.ts'

const place = (op: string, value?: unknown) => ({ field: 'meta.location_slug', op, value })

for (const [condition, places] of [
  [null, []],
  [place('within', 'texas'), ['texas']],
  [{ 'meta.location_slug': ['austin', 'dallas'] }, ['austin', 'dallas']],
  [{ not: { any: [place('eq', 'austin'), place('in', ['austin', 'ohio'])] } }, ['austin', 'ohio']],
  [{ 'meta.location_path': 'usa/texas/austin' }, ['usa', 'texas', 'austin']],
  [{ role: 'owner', 'meta.service_slug': 'repair' }, []],
  [place('starts_with', 'aus'), []],
  [place('empty'), []],
] as const)
  test(`the places of ${JSON.stringify(condition)} are ${places.join(', ') || 'none'}`, () => {
    assert.deepEqual(slugsOfConditions([condition as Condition | null]).places, places)
  })

test('the services of conditions are listed once each', () => {
  const conditions = [{ 'meta.service_slug': ['repair', 'boilers'] }, { 'meta.service_slug': 'repair' }]
  assert.deepEqual(slugsOfConditions(conditions), { places: [], services: ['repair', 'boilers'] })
})

test('the slugs of leads are those of their places, with those above, and of their services', () => {
  const austin = { location_slug: 'austin', location_path: 'texas/austin', service_slug: 'repair' }
  const nowhere = { location_slug: null, location_path: null, service_slug: 'repair', page_path: 'a/b' }
  assert.deepEqual(slugsOfLeads([austin, nowhere]), { places: ['austin', 'texas'], services: ['repair'] })
})
