import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { loadReasonNames, loadReasonNamesOfForms } from '#src/admin/webhooks/load-reason-names.ts'
import { listRuleChoices, suggestionsOf } from '#src/admin/webhooks/rule-choices.ts'
import { readRuleNames, showRuleNames } from '#src/admin/webhooks/rule-names.ts'
import type { ConditionTrace } from '#src/messages/admin/webhooks/conditions.ts'
import { describeRuleProblem } from '#src/messages/admin/webhooks/rule-problems.ts'
import { findTaxonomy, insertTerms } from '#src/taxonomies/taxonomy-store.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { aField, storeForm } from '../../../support/forms.ts'
import { addEntry, addPlaces } from '../../../support/small-site.ts'

const PLACE = 'meta.location_slug'
const SERVICE = 'meta.service_slug'

/** Places, two of them with the same name and one with a comma in its name, and a service. */
async function someNames(t: TestContext) {
  const db = await openTestDatabase(t)
  await addPlaces(db, 'dallas', 'fort-worth')
  const taxonomy = await findTaxonomy(db, 'locations')
  const term = (slug: string, name: string, position: number) => ({
    ...{ slug, name, position, description: null, parentId: null },
  })
  await insertTerms(db, taxonomy?.id ?? 0, [
    term('springfield', 'Springfield', 7),
    term('springfield-mo', 'Springfield', 8),
    term('washington', 'Washington, DC', 9),
  ])
  await addEntry(db, 'services', { slug: 'airship', title: 'Airship repair' })
  const rule = (field: string, op: string, value: string) => ({ field, op, value })
  const read = async (field: string, op: string, value: string, match = 'all') => {
    const { rules, problems } = await readRuleNames(db, { match, rules: [rule(field, op, value)] })
    return problems.length > 0 ? problems.map(({ code }) => code) : rules.map((one) => one.value)
  }
  const show = async (field: string, op: string, value: string) =>
    (await showRuleNames(db, [rule(field, op, value)]))[0]?.value
  return { db, read, show }
}

test('names of places and services become their slugs', async (t) => {
  const { read } = await someNames(t)
  for (const [field, op, typed, slug] of [
    [PLACE, 'within', ' fort WORTH ', 'fort-worth'],
    [PLACE, 'eq', 'springfield-mo', 'springfield-mo'],
    // Separated by commas, each name is one.
    [PLACE, 'in', 'Dallas, fort worth, ,', 'dallas, fort-worth'],
    [PLACE, 'eq', 'Washington, DC', 'washington'],
    [SERVICE, 'ne', 'airship repair', 'airship'],
    // A slug of a place that is gone stays.
    [PLACE, 'eq', 'houston', 'houston'],
    // Part of a name, an answer, and an operator without a value.
    [PLACE, 'starts_with', 'Fort', 'Fort'],
    ['city', 'eq', 'Dallas', 'Dallas'],
    ['city', 'exists', '', ''],
  ] as const)
    assert.deepEqual(await read(field, op, typed), [slug], `${op} ${typed}`)
})

test('a name that means nothing, or several things, is a problem', async (t) => {
  const { db, read } = await someNames(t)
  assert.deepEqual(await read(PLACE, 'eq', 'New York'), ['name_unknown'])
  assert.deepEqual(await read(PLACE, 'in', 'Dallas, New York, El Paso'), ['name_unknown', 'name_unknown'])
  assert.deepEqual(await read(PLACE, 'eq', 'Springfield'), ['name_ambiguous'])
  assert.deepEqual(await read(PLACE, 'eq', ' '), ['rule_value_missing'])
  assert.deepEqual(await read(SERVICE, 'in', ','), ['rule_value_missing'])
  assert.deepEqual(await read('', 'eq', 'x'), ['rule_field_missing'])
  assert.deepEqual(await read('', 'eq', ' '), [' '])
  assert.deepEqual(await read('city', 'within', 'Dallas'), ['place_operator_elsewhere'])
  assert.deepEqual(await read('', 'within', ''), [''])
  const describe = async (field: string, value: string) => {
    const rules = [{ field, op: 'eq', value }]
    const { problems } = await readRuleNames(db, { match: 'any', rules })
    return problems.map(describeRuleProblem).join()
  }
  assert.match(await describe(PLACE, 'Dalas'), /^No place is called “Dalas”\. Did you mean Dallas\?$/)
  assert.match(await describe(PLACE, 'Springfield'), /springfield or springfield-mo/)
  assert.match(await describe(SERVICE, ''), /service/)
  assert.match(await describe('', 'Dallas'), /Dallas/)
  // A condition in JSON has no names, and without conditions rules don't count.
  for (const match of ['json', 'always']) assert.deepEqual(await read(PLACE, 'eq', 'x y', match), ['x y'])
})

test('slugs are shown as names, where a name means only that place', async (t) => {
  const { show } = await someNames(t)
  assert.equal(await show(PLACE, 'within', 'fort-worth'), 'Fort Worth')
  assert.equal(await show(SERVICE, 'eq', 'airship'), 'Airship repair')
  assert.equal(await show(PLACE, 'in', 'dallas, springfield, houston'), 'Dallas, springfield, houston')
  // A comma would separate names of a list.
  assert.equal(await show(PLACE, 'eq', 'washington'), 'Washington, DC')
  assert.equal(await show(PLACE, 'in', 'washington,dallas'), 'washington, Dallas')
  assert.equal(await show(PLACE, 'starts_with', 'dallas'), 'dallas')
  assert.equal(await show('city', 'eq', ' dallas '), ' dallas ')
})

test('rules about places and services are read together', async (t) => {
  const { db } = await someNames(t)
  const rules = [
    { field: PLACE, op: 'eq', value: 'Fort Worth' },
    { field: 'city', op: 'eq', value: 'x' },
    { field: SERVICE, op: 'eq', value: 'Airship repair' },
  ]
  const read = await readRuleNames(db, { match: 'all', rules })
  assert.deepEqual(
    [read.problems, read.rules.map(({ value }) => value)],
    [[], ['fort-worth', 'x', 'airship']],
  )
  assert.deepEqual(await showRuleNames(db, read.rules), rules)
})

test('an unknown operator leaves a value as it is', async (t) => {
  const { read, show } = await someNames(t)
  assert.deepEqual(
    [await read(PLACE, 'toString', 'Dallas'), await show(PLACE, 'x', 'dallas')],
    [['Dallas'], 'dallas'],
  )
})

test('rules suggest names, or slugs where several share a name', async (t) => {
  const { db } = await someNames(t)
  const { place, service } = await listRuleChoices(db)
  assert.deepEqual(
    ['Dallas', 'springfield', 'springfield-mo', 'Springfield'].map((one) => place.includes(one)),
    [true, true, true, false],
  )
  assert.ok(service.includes('Airship repair'))
  const building = aField({ name: 'building', options: [{ value: 'a', label: 'A' }] as never })
  const fields = [building, aField({ name: 'city' })]
  const suggested = ['building', 'city', PLACE, SERVICE].map((field) => suggestionsOf(field, fields))
  assert.deepEqual(suggested, ['answer-building', undefined, 'place', 'service'])
})

const traceOf = (rule: string): ConditionTrace => ({ kind: 'rule', rule, holds: false, saw: null })

test('reasons name the places, services, and questions that they mention', async (t) => {
  const { db } = await someNames(t)
  const form = await storeForm(db, 'quote', { fields: [{ name: 'city', label: 'City' }] })
  const traces = [
    traceOf(`${PLACE} eq "dallas"`),
    null,
    undefined,
    traceOf(`${SERVICE} in ["airship","gone"]`),
  ]
  const names = await loadReasonNames(db, traces, form.fields)
  assert.deepEqual(
    [names.places?.get('dallas'), names.services?.get('airship'), names.services?.get('gone')],
    ['Dallas', 'Airship repair', undefined],
  )
  assert.equal(names.questions?.get('city')?.label, 'City')
  assert.deepEqual([names.places?.size, names.services?.size], [1, 1])
  const namesOf = await loadReasonNamesOfForms(db, traces)
  assert.equal(namesOf(form.id).questions?.get('city')?.label, 'City')
  assert.equal(namesOf(form.id).places?.get('dallas'), 'Dallas')
  for (const id of [undefined, 9_999]) {
    assert.equal(namesOf(id).questions?.get('city'), undefined)
    assert.equal(namesOf(id).services?.get('airship'), 'Airship repair')
  }
})
