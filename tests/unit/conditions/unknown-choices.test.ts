import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionSchema } from '#src/conditions/conditions.ts'
import { listUnknownChoices } from '#src/conditions/unknown-choices.ts'

const choices = (...values: string[]) => values.map((value) => ({ label: value.toUpperCase(), value }))

const FIELDS = [
  { name: 'building', label: 'Building', options: choices('house', 'flat') },
  { name: 'extras', label: 'Extras', options: choices('gutter', 'roof') },
  { name: 'budget', label: 'Budget', options: [] },
]

for (const [condition, values] of [
  [{ building: 'HOUSE' }, ['HOUSE']],
  [{ building: ['flat', 'barn', 'HOUSE', 'barn'] }, ['barn', 'HOUSE']],
  [{ not: { any: [{ field: 'building', op: 'ne', value: 'barn' }] } }, ['barn']],
  [{ field: 'building', op: 'not_in', value: ['house', 'barn'] }, ['barn']],
  [{ field: 'building', op: 'eq', value: 1 }, [1]],
  [{ field: 'extras', op: 'includes', value: 'ROOF' }, ['ROOF']],
  [{ building: ['house', 'flat'], budget: 'anything' }, undefined],
  [{ field: 'building', op: 'starts_with', value: 'ho' }, undefined],
  [{ field: 'building', op: 'empty' }, undefined],
  [{ 'meta.service_slug': 'roof' }, undefined],
  [{}, undefined],
] as const)
  test(`contract §6 ${JSON.stringify(condition)} has ${values?.length ?? 'no'} unknown choices`, () => {
    const [found, ...others] = listUnknownChoices([null, conditionSchema.parse(condition)], FIELDS)
    assert.deepEqual([found?.values, others], [values, []])
  })
