import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDefaultProblems } from '#src/forms/fields/default-answer.ts'
import { fieldDefinitionSchema } from '#src/forms/fields/field-definition.ts'

function aField(keys: object) {
  return fieldDefinitionSchema.parse({ name: 'answer', label: 'Answer', ...keys })
}

const CHOICES = { options: ['House/h', 'Flat/f'] }

for (const [what, keys, problem] of [
  [
    'a label in place of a choice',
    { type: 'select', default_value: 'House', ...CHOICES },
    'Choose one of the options',
  ],
  ['an unknown radio button', { type: 'radio', default_value: 'x', ...CHOICES }, 'Choose one of the options'],
  [
    'one unknown box',
    { type: 'checkbox', default_value: 'h, x', ...CHOICES },
    'Choose one of the listed options',
  ],
  [
    'a single box with another word',
    { type: 'checkbox', default_value: 'maybe' },
    'Check the box or leave it unchecked',
  ],
  [
    'a number below the minimum',
    { type: 'number', default_value: 1, validation: { min: 2 } },
    'Enter a number of 2 or more',
  ],
  ['a word as a number', { type: 'number', default_value: 'two' }, 'Enter a number such as 12 or 3.5'],
  [
    'a day after the last',
    { type: 'date', default_value: '2027-01-02', validation: { max: '2027-01-01' } },
    'Enter a date on or before 2027-01-01',
  ],
  ['a text too long', { default_value: 'abc', validation: { max_length: 2 } }, 'Use at most 2 characters'],
  [
    'a text of another pattern',
    { default_value: 'abc', validation: { pattern: '[0-9]+' } },
    'Use the requested format',
  ],
  [
    'an incomplete email address',
    { type: 'email', default_value: 'ann@' },
    'Enter an email address such as name@example.com',
  ],
] as const)
  test(`§2.2 ${what} is refused as a default answer, unless the field is stored so`, () => {
    const field = aField(keys)
    const text = String(keys.default_value)
    const path = ['fields', 1, 'default_value']
    assert.deepEqual(findDefaultProblems([aField({ name: 'first' }), field], []), [
      { path, code: 'default_refused', params: { text, problem } },
    ])
    assert.deepEqual(findDefaultProblems([field], [aField(keys)]), [])
    assert.equal(findDefaultProblems([{ ...field, label: 'Edited' }], [field]).length, 1)
  })

for (const [what, keys] of [
  ['a choice', { type: 'select', default_value: 'h', ...CHOICES }],
  ['several boxes', { type: 'checkbox', default_value: 'h, f', ...CHOICES }],
  ['a checked box', { type: 'checkbox', default_value: 'true' }],
  ['none of several required boxes', { type: 'checkbox', default_value: '', required: true, ...CHOICES }],
  ['the beginning of a web address', { type: 'url', default_value: 'https://' }],
  ['the beginning of a phone number', { type: 'phone', default_value: '+44 ' }],
  ['the beginning of a longer text', { default_value: 'REF-', validation: { min_length: 9 } }],
] as const)
  test(`§2.2 ${what} may be a default answer`, () => {
    assert.deepEqual(findDefaultProblems([aField(keys)], []), [])
  })
