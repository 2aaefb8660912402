import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELD_TYPE_NAMES } from '#src/forms/field-types/field-types.ts'
import { fieldDefinitionSchema, toFormField } from '#src/forms/fields/field-definition.ts'
import {
  fieldVersion,
  inputsOf,
  readFieldType,
  toFieldDraft,
  toFieldTexts,
} from '#src/forms/fields/field-input.ts'
import { withFieldTexts } from '#src/forms/fields/preview-fields.ts'
import { aField, aForm } from '../../support/forms.ts'

const EMPTY = {
  placeholder: null,
  default_value: null,
  required: false,
  options: [],
  help_text: null,
  validation: {},
}

test('every type has its relevant inputs', () => {
  const common = ['label', 'name', 'type']
  const shown = [...common, 'help_text', 'required', 'validation.message']
  for (const [type, inputs] of [
    [
      'text',
      [
        'default_value',
        'placeholder',
        'validation.max_length',
        'validation.min_length',
        'validation.pattern',
      ],
    ],
    ['number', ['default_value', 'placeholder', 'validation.max', 'validation.min']],
    ['select', ['default_value', 'options', 'placeholder']],
    ['radio', ['default_value', 'options']],
    ['file', ['validation.accept', 'validation.max_size']],
  ] as const)
    assert.deepEqual([...inputsOf(type)].toSorted(), [...shown, ...inputs].toSorted(), type)
  const lengths = ['validation.max_length', 'validation.min_length', 'validation.pattern']
  assert.deepEqual([...inputsOf('hidden')].toSorted(), [...common, 'default_value', ...lengths].toSorted())
  for (const type of FIELD_TYPE_NAMES) assert.equal(readFieldType(type), type)
  for (const text of ['', 'nothing', undefined]) assert.equal(readFieldType(text), 'text')
})

for (const [what, texts, draft] of [
  [
    'a text with everything',
    {
      ...{
        type: 'text',
        name: ' role ',
        label: ' Role ',
        placeholder: 'Owner',
        default_value: ' x ',
        required: 'on',
      },
      ...{
        help_text: ' As on your card ',
        options: 'a',
        'validation.min_length': '2',
        'validation.max_length': 'ten',
      },
      ...{
        'validation.pattern': '[a-z]+',
        'validation.message': 'Letters only',
        'validation.accept': '.pdf',
      },
    },
    {
      ...{
        type: 'text',
        name: 'role',
        label: 'Role',
        placeholder: 'Owner',
        default_value: 'x',
        required: true,
      },
      ...{ options: [], help_text: 'As on your card' },
      validation: { min_length: 2, max_length: 'ten', pattern: '[a-z]+', message: 'Letters only' },
    },
  ],
  ['nothing', {}, { ...EMPTY, type: 'text', name: '', label: '' }],
  [
    'choices',
    { type: 'radio', name: 'size', label: 'Size', options: ' Small/s \n\n Large \n', placeholder: 'x' },
    { ...EMPTY, type: 'radio', name: 'size', label: 'Size', options: ['Small/s', 'Large'] },
  ],
  [
    'bounds of a number',
    {
      type: 'number',
      name: 'n',
      label: 'N',
      'validation.min': '1',
      'validation.max': '9.5',
      'validation.max_length': '3',
    },
    { ...EMPTY, type: 'number', name: 'n', label: 'N', validation: { min: 1, max: 9.5 } },
  ],
  [
    'bounds of a date',
    { type: 'date', name: 'd', label: 'D', 'validation.min': '2026-01-01' },
    { ...EMPTY, type: 'date', name: 'd', label: 'D', validation: { min: '2026-01-01' } },
  ],
  [
    'a file of so many megabytes',
    {
      type: 'file',
      name: 'f',
      label: 'F',
      'validation.accept': '.pdf',
      'validation.max_size': '1.5',
      required: '',
    },
    { ...EMPTY, type: 'file', name: 'f', label: 'F', validation: { accept: '.pdf', max_size: 1_572_864 } },
  ],
  [
    'a file of no number of megabytes',
    { type: 'file', name: 'f', label: 'F', 'validation.max_size': 'big' },
    { ...EMPTY, type: 'file', name: 'f', label: 'F', validation: { max_size: 'big' } },
  ],
  [
    'a hidden field',
    {
      type: 'hidden',
      name: 'h',
      label: 'H',
      default_value: 'v',
      required: 'on',
      help_text: 'x',
      placeholder: 'x',
    },
    { ...EMPTY, type: 'hidden', name: 'h', label: 'H', default_value: 'v' },
  ],
] as const) {
  test(`the input for ${what} is read like a file`, () => {
    assert.deepEqual(toFieldDraft(texts), draft)
  })
}

test('a field’s texts give the same field', () => {
  for (const field of [
    aField(),
    aField({
      placeholder: 'p',
      defaultValue: 'd',
      required: true,
      helpText: 'h',
      validation: { max_length: 9 },
    }),
    aField({
      type: 'select',
      options: [
        { label: 'Small', value: 's' },
        { label: 'L', value: 'L' },
      ],
    }),
    aField({ type: 'file', validation: { accept: ['.pdf', '.png'], max_size: 1_048_576 } }),
  ]) {
    const draft = fieldDefinitionSchema.parse(toFieldDraft(toFieldTexts(field)))
    assert.deepEqual(toFormField(draft), field)
  }
  assert.equal(
    toFieldTexts(aField({ type: 'file', validation: { max_size: 1_572_864 } }))['validation.max_size'],
    '1.5',
  )
  const accept = ['.pdf', '.png']
  assert.equal(
    toFieldTexts(aField({ type: 'file', validation: { accept } }))['validation.accept'],
    '.pdf, .png',
  )
})

test('a field’s version changes with any edit, and a deleted field has none', () => {
  const form = aForm({ fields: [aField(), aField({ name: 'other' })] })
  const version = fieldVersion(form, 'answer')
  assert.notEqual(version, '')
  assert.equal(
    fieldVersion(aForm({ fields: [aField({ name: 'other', label: 'x' }), aField()] }), 'answer'),
    version,
  )
  assert.notEqual(fieldVersion(aForm({ fields: [aField({ required: true })] }), 'answer'), version)
  assert.deepEqual([fieldVersion(form, 'gone'), fieldVersion(form, undefined)], ['', ''])
})

test('an unfinished field is previewed in its place with its valid parts', () => {
  const form = aForm({ fields: [aField({ name: 'a' }), aField({ name: 'b' })] })
  const preview = (texts: object) =>
    withFieldTexts(form, texts as Record<string, string>).fields.map(({ name, label, type }) => [
      name,
      label,
      type,
    ])
  assert.deepEqual(preview({ replaced: 'a', type: 'email', name: 'mail', label: 'Mail' }), [
    ['mail', 'Mail', 'email'],
    ['b', 'Answer', 'text'],
  ])
  assert.deepEqual(preview({ name: 'c', label: '' })[2], ['c', 'c', 'text'])
  const [, , unnamed] = preview({})
  assert.deepEqual([unnamed?.[0], unnamed?.[2]], ['new_field', 'text'])
  assert.ok(unnamed?.[1])
  // A wrong key, and a wrong rule, leave the rest as it is typed.
  assert.deepEqual(preview({ name: 'not a key', label: 'L', type: 'date', 'validation.min': 'soon' })[2], [
    ...['new_field', 'L', 'date'],
  ])
  assert.deepEqual(preview({ name: 'x', label: 'Size', type: 'radio' })[2]?.slice(0, 2), [
    'new_field',
    'Size',
  ])
  const [, , long] = preview({ name: 'x', label: `${'a'.repeat(199)}🙂${'b'.repeat(900)}` })
  assert.ok(long?.[1] && long[1].length <= 1_000 && long[1].isWellFormed())
})
