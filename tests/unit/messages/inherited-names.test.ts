import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionSchema } from '#src/conditions/conditions.ts'
import { outlineCondition } from '#src/conditions/evaluate-condition.ts'
import { itemNoun, typeName, typeNoun } from '#src/messages/admin/entries.ts'
import { describeCause } from '#src/messages/admin/history/causes.ts'
import { describeSource } from '#src/messages/admin/measuring/sources.ts'
import { leadsOfTrace } from '#src/messages/admin/webhooks/conditions.ts'

// Every object has a `constructor`, and visitors choose the tags of links.
test('names of people’s own are shown as they are, also those that every object has', () => {
  const type = { slug: 'constructor', name: 'Houses built' }
  assert.deepEqual([typeName(type), typeNoun(type)], ['Houses built', 'Houses built'])
  assert.equal(itemNoun('constructor'), 'item')
  const cause = { code: 'entries_added' as const, params: { type } }
  assert.equal(describeCause({ cause, pages: 2 }), 'Adding 2 pages of the type Houses built')
  assert.equal(describeSource('campaign:constructor'), 'Tagged link: constructor')
  assert.equal(describeSource('campaign:__proto__'), 'Tagged link: __proto__')
  assert.equal(describeSource('constructor'), 'constructor')
  const condition = conditionSchema.parse({ constructor: 'Miller' })
  assert.equal(leadsOfTrace(outlineCondition(condition)), 'Leads where “constructor” is “Miller”')
})
