import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldDefinitionSchema } from '#src/forms/fields/field-definition.ts'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'

function problemsOf(field: Record<string, unknown>) {
  const { error } = fieldDefinitionSchema.safeParse({ name: 'answer', label: 'Answer', ...field })
  return (error?.issues ?? []).map(problemOf).map(({ path, ...problem }) => ({
    path: path.join('.'),
    ...problem,
  }))
}

const many = (count: number, text = (at: number) => `${at}`) =>
  Array.from({ length: count }, (_, at) => text(at))

for (const [what, field] of [
  ['a default of 10,000 characters', { default_value: 'x'.repeat(10_000) }],
  ['1,000 options', { type: 'select', options: many(1_000) }],
  ['a pattern of 256 characters', { validation: { pattern: 'a'.repeat(256) } }],
  ['one bound', { type: 'number', validation: { min: 3 } }],
  ['the other bound', { type: 'date', validation: { max: '2026-11-20' } }],
  ['a zero as its bounds', { type: 'number', validation: { min: 0, max: 0 } }],
  ['the same length twice', { validation: { min_length: 3, max_length: 3 } }],
  ['only a least length', { validation: { min_length: 3 } }],
  ['a hidden value that fits', { type: 'hidden', default_value: 'ab', validation: { max_length: 2 } }],
  ['a hidden value from elsewhere', { type: 'hidden' }],
  ['a shown value to be corrected', { default_value: 'abc', validation: { max_length: 2 } }],
] as const)
  test(`§2.2 a field may have ${what}`, () => {
    assert.deepEqual(problemsOf(field), [])
  })

const atPath = (path: string, code: string, params?: object) => ({ path, code, ...(params && { params }) })

for (const [what, field, problem] of [
  [
    'a default of 10,001 characters',
    { default_value: 'x'.repeat(10_001) },
    atPath('default_value', 'max_characters', { max: 10_000 }),
  ],
  [
    '1,001 options, whatever is in them',
    { type: 'select', options: many(1_001, () => '/') },
    atPath('options', 'max_options', { max: 1_000 }),
  ],
  [
    'a pattern too long to be read',
    { validation: { pattern: '('.repeat(257) } },
    atPath('validation.pattern', 'max_characters', { max: 256 }),
  ],
  ['no options for radio', { type: 'radio' }, atPath('options', 'options_missing', { type: 'radio' })],
  [
    'options of a date',
    { type: 'date', options: ['A/a'] },
    atPath('options', 'options_useless', { type: 'date', types: ['select', 'radio', 'checkbox'] }),
  ],
  [
    'an option without a label',
    { type: 'radio', options: ['/x'] },
    atPath('options.0', 'option_incomplete', { text: '/x' }),
  ],
  [
    'a repeated option',
    { type: 'radio', options: ['A/x', 'B/x'] },
    atPath('options.1', 'option_repeated', { value: 'x' }),
  ],
  [
    'a key of another type',
    { type: 'file', validation: { min: 3 } },
    atPath('validation.min', 'validation_useless', {
      ...{ key: 'min', type: 'file', known: ['accept', 'max_size', 'message'] },
    }),
  ],
  [
    'a day that no calendar has',
    { type: 'date', validation: { min: '2026-02-30' } },
    atPath('validation.min', 'bound_invalid', {
      ...{ key: 'min', bound: '2026-02-30', expected: 'a date as YYYY-MM-DD' },
    }),
  ],
  [
    'crossed bounds',
    { type: 'number', validation: { min: 0, max: -1 } },
    atPath('validation.min', 'bounds_crossed', { min: 0, max: -1 }),
  ],
  [
    'crossed lengths',
    { validation: { min_length: 2, max_length: 1 } },
    atPath('validation.min_length', 'lengths_crossed', { min: 2, max: 1 }),
  ],
  [
    'a file larger than any',
    { type: 'file', validation: { max_size: 2 ** 40 } },
    atPath('validation.max_size', 'max_size_too_large', { bytes: 2 ** 40, max: 25 * 2 ** 20 }),
  ],
  [
    'a hidden value that every post would fail with',
    { type: 'hidden', default_value: 'abc', validation: { max_length: 2 } },
    atPath('default_value', 'hidden_value_refused', {
      name: 'answer',
      problem: 'Use at most 2 characters',
    }),
  ],
] as const)
  test(`§2.2 a field with ${what} has one problem with its parameters`, () => {
    assert.deepEqual(problemsOf(field), [problem])
  })
