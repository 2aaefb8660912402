import assert from 'node:assert/strict'
import { test } from 'node:test'
import { antiSpamRules } from '#src/forms/anti-spam.ts'
import { answersNotAsked, asAsked } from '#src/forms/fields/asked-fields.ts'
import { fieldIndex, moveField, orderFields, putField, removeField } from '#src/forms/fields/edit-fields.ts'
import { type FormDefinition, formDefinitionSchema } from '#src/forms/form-definition.ts'
import { settingsVersionOf, toSettingsTexts, withSettings } from '#src/forms/settings-input.ts'
import { aField, aForm } from '../../support/forms.ts'

const INFINITE = Number.POSITIVE_INFINITY

function aDefinition(definition: object = {}): FormDefinition {
  const fields = ['a', 'b', 'c'].map((name) => ({ name, label: name.toUpperCase() }))
  return formDefinitionSchema.parse({ name: 'Quote', fields, ...definition })
}

const namesOf = ({ fields }: { fields: unknown }) => (fields as { name: string }[]).map(({ name }) => name)

test('each spam protection setting has a default and can be turned off', () => {
  const defaults = { maxLinks: 3, minSeconds: 2, needsProofOfWork: false }
  for (const [setting, rules] of [
    [undefined, defaults],
    [null, defaults],
    [true, defaults],
    [{}, defaults],
    [false, { maxLinks: INFINITE, minSeconds: 0, needsProofOfWork: false }],
    [{ max_links: 0 }, { ...defaults, maxLinks: 0 }],
    [{ max_links: null }, { ...defaults, maxLinks: INFINITE }],
    [{ min_seconds: 0 }, { ...defaults, minSeconds: 0 }],
    [{ proof_of_work: true }, { ...defaults, needsProofOfWork: true }],
  ] as const)
    assert.deepEqual(antiSpamRules({ anti_spam: setting }), rules, JSON.stringify(setting))
})

test('saving the settings as shown changes nothing', () => {
  for (const settings of [
    {},
    { honeypot: 'website', redirect_url: null, retention_days: 30, success_heading: 'Thanks' },
    { anti_spam: false },
    { anti_spam: { max_links: null, min_seconds: 5 } },
    { anti_spam: null, retention_days: null },
  ]) {
    const definition = aDefinition({ settings, description: 'D', status: 'draft' })
    const { fields } = aForm()
    const texts = toSettingsTexts(aForm({ ...definition, fields }))
    assert.deepEqual(withSettings(texts)(definition), definition, JSON.stringify(settings))
  }
})

test('input replaces name, description, status, and settings', () => {
  const definition = aDefinition({ description: 'D', settings: { honeypot: 'website', retention_days: 30 } })
  const typed = {
    'settings.anti_spam': 'on',
    'settings.anti_spam.max_links': '3',
    'settings.anti_spam.min_seconds': '2',
  }
  const changed = (texts: object) =>
    withSettings({ ...typed, name: 'Quote', status: 'active', ...texts })(definition)
  assert.deepEqual(changed({ name: ' Offer ', status: 'archived', description: 'New' }), {
    ...{ name: 'Offer', status: 'archived', description: 'New', fields: definition.fields },
    settings: { honeypot: null, retention_days: null },
  })
  assert.equal(changed({}).description, null)
  const settings = (texts: object) => changed(texts).settings as Record<string, unknown>
  assert.deepEqual(settings({ 'settings.retention_days': '7', 'settings.success_heading': 'Thanks' }), {
    ...{ honeypot: null, success_heading: 'Thanks', retention_days: 7 },
  })
  assert.equal(settings({ 'settings.retention_days': 'soon' }).retention_days, 'soon')
  assert.equal(settings({ 'settings.anti_spam': '' }).anti_spam, false)
  for (const [texts, antiSpam] of [
    [{ 'settings.anti_spam.max_links': '' }, { max_links: null, min_seconds: 2, proof_of_work: false }],
    [{ 'settings.anti_spam.max_links': 'x' }, { max_links: 'x', min_seconds: 2, proof_of_work: false }],
    [{ 'settings.anti_spam.min_seconds': '' }, { max_links: 3, min_seconds: 0, proof_of_work: false }],
    [{ 'settings.anti_spam.proof_of_work': 'on' }, { max_links: 3, min_seconds: 2, proof_of_work: true }],
  ] as const)
    assert.deepEqual(settings(texts).anti_spam, antiSpam, JSON.stringify(texts))
})

test('the settings’ version covers only shown settings', () => {
  const version = settingsVersionOf(aForm())
  assert.equal(settingsVersionOf(aForm({ settings: { anti_spam: true }, fields: [], version: 2 })), version)
  for (const other of [{ slug: 'other' }, { name: 'x' }, { settings: { anti_spam: { min_seconds: 3 } } }])
    assert.notEqual(settingsVersionOf(aForm(other)), version)
})

test('fields are added, removed, moved, and ordered', () => {
  const definition = aDefinition()
  const before = structuredClone(definition)
  for (const [what, changed, names] of [
    ['a new one', putField({ name: 'd' }), ['a', 'b', 'c', 'd']],
    ['one in place of another', putField({ name: 'd', label: 'D' }, 'b'), ['a', 'd', 'c']],
    ['one in place of one that is gone', putField({ name: 'd' }, 'x'), ['a', 'b', 'c', 'd']],
    ['one taken out', removeField('b'), ['a', 'c']],
    ['one that is not there', removeField('x'), ['a', 'b', 'c']],
    ['one up', moveField('c', -1), ['a', 'c', 'b']],
    ['one down', moveField('a', 1), ['b', 'a', 'c']],
    ['one beyond the start', moveField('b', -5), ['b', 'a', 'c']],
    ['one beyond the end', moveField('b', 5), ['a', 'c', 'b']],
    ['none', moveField('x', 1), ['a', 'b', 'c']],
    ['an order', orderFields(['c', 'a', 'b']), ['c', 'a', 'b']],
    ['an order of some', orderFields(['c']), ['c', 'a', 'b']],
    ['an order with one that is gone', orderFields(['x', 'b']), ['b', 'a', 'c']],
  ] as const)
    assert.deepEqual(namesOf(change(changed)), names, what)
  assert.deepEqual(definition, before)
  assert.deepEqual(
    [fieldIndex(definition, 'b'), fieldIndex(definition, 'x'), fieldIndex(definition, undefined)],
    [1, 3, 3],
  )

  function change(changed: ReturnType<typeof putField>) {
    const result = changed(definition)
    assert.equal(result.name, 'Quote')
    return result
  }
})

test('a replaced field keeps untouched properties', () => {
  const help_text = ' as it was written '
  const definition = aDefinition({ fields: [{ name: 'a', label: 'A', required: true }] })
  const [stored] = definition.fields
  const before = { ...definition, fields: [{ ...stored, help_text }] } as FormDefinition
  const typed = { ...stored, label: 'New', help_text: help_text.trim() }
  assert.deepEqual(putField(typed, 'a')(before).fields, [{ ...stored, label: 'New', help_text }])
})

test('an outdated page is validated for the fields it showed or sent', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => aField({ name })) as [never, never, never]
  const form = aForm({ version: 3, fields: [a, b, c] })
  const old = aField({ name: 'old' })
  const asked = asAsked(form, { version: 1, fields: [old, a] }, { a: '1', c: '2' })
  assert.deepEqual([asked.version, asked.fields], [1, [old, a, c]])
  assert.deepEqual(answersNotAsked(form, asked), { b: null })
})
