import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ruleWithTodaysSlugs,
  slugsOfConditions,
  slugsOfLeads,
  withTodaysSlugs,
} from '#src/conditions/condition-slugs.ts'
import type { Condition, Rule } from '#src/conditions/conditions.ts'

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

test('a lead’s slugs are those of its place, the places above, and its service', () => {
  const austin = { location_slug: 'austin', location_path: 'texas/austin', service_slug: 'repair' }
  const nowhere = { location_slug: null, location_path: null, service_slug: 'repair', page_path: 'a/b' }
  assert.deepEqual(slugsOfLeads([austin, nowhere]), { places: ['austin', 'texas'], services: ['repair'] })
})

const RENAMED = { places: new Map([['texas', 'tx']]), services: new Map([['repair', 'ac-repair']]) }

test('a lead gets the current slugs of its place, the places above, and its service', () => {
  const meta = { location_slug: 'austin', location_path: 'usa/texas/austin', page_path: '/repair/texas' }
  const subject = { answers: { texas: 'texas' }, meta: { ...meta, service_slug: 'repair' }, renamed: RENAMED }
  assert.deepEqual(withTodaysSlugs(subject), {
    ...subject,
    meta: { ...subject.meta, location_path: 'usa/tx/austin', service_slug: 'ac-repair' },
  })
  const { location_slug, service_slug } = withTodaysSlugs({ ...subject, meta: {} }).meta
  assert.deepEqual([location_slug, service_slug], [null, null])
})

test('a rule gets current slugs where it compares complete place or service slugs', () => {
  const after = (rule: object) => ruleWithTodaysSlugs({ kind: 'rule', ...rule } as Rule, RENAMED).value
  assert.equal(after({ field: 'meta.location_slug', op: 'within', value: 'texas' }), 'tx')
  assert.deepEqual(after({ field: 'meta.location_slug', op: 'in', value: ['texas', 'ohio', 7] }), [
    ...['tx', 'ohio', 7],
  ])
  assert.equal(after({ field: 'meta.location_path', op: 'eq', value: 'usa/texas' }), 'usa/tx')
  assert.equal(after({ field: 'meta.service_slug', op: 'ne', value: 'texas' }), 'texas')
  assert.equal(after({ field: 'meta.location_slug', op: 'starts_with', value: 'texas' }), 'texas')
  assert.equal(after({ field: 'role', op: 'eq', value: 'texas' }), 'texas')
  assert.equal(after({ field: 'meta.location_slug', op: 'empty' }), undefined)
})
