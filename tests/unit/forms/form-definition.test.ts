import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIELD_TYPE_NAMES } from '#src/forms/field-types/field-types.ts'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import { describeRule } from '#src/messages/files/rules/rule.ts'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'
import { aFormFile } from '../../support/forms.ts'

/** What is wrong with a form file, as `path: code`. */
function mistakesOf(file: unknown): string[] {
  const problems = formDefinitionSchema.safeParse(file).error?.issues.map(problemOf) ?? []
  for (const problem of problems) assert.doesNotMatch(describeRule(problem), /undefined/)
  return problems.map(({ path, code }) => `${path.join('.')}: ${code}`)
}

function mistakesOfField(field: Record<string, unknown>) {
  return mistakesOf({ name: 'Contact', fields: [{ name: 'answer', label: 'Answer', ...field }] })
}

test('contract §3 omitted keys of a form file have the defaults of §2.1 and §2.2', () => {
  assert.deepEqual(formDefinitionSchema.parse(aFormFile()), {
    name: 'Contact',
    description: null,
    status: 'active',
    settings: {},
    fields: [
      {
        name: 'answer',
        type: 'text',
        label: 'Answer',
        placeholder: null,
        default_value: null,
        required: false,
        options: [],
        validation: {},
        help_text: null,
      },
    ],
  })
})

test('§2.1, §2.2 blank texts count as empty', () => {
  const blank = ' \n\t\u3000'
  const fields = [{ name: 'answer', label: 'Answer', placeholder: blank, help_text: blank }]
  const settings = { success_heading: blank, success_body: blank }
  const form = formDefinitionSchema.parse(aFormFile({ description: blank, settings, fields }))
  assert.deepEqual(
    [form.description, form.settings, form.fields[0]?.placeholder, form.fields[0]?.help_text],
    [null, { success_heading: null, success_body: null }, null, null],
  )
})

test('§2.2 all twelve types are accepted', () => {
  assert.equal(FIELD_TYPE_NAMES.length, 12)
  for (const type of FIELD_TYPE_NAMES) {
    assert.deepEqual(
      mistakesOfField({ type, options: ['select', 'radio'].includes(type) ? ['A/a'] : [] }),
      [],
    )
  }
})

test('§2.2 options are "label/value", split at the last slash; a single text is both', () => {
  const fields = [{ name: 'size', label: 'Size', type: 'select' as const, options: ['24/7/always', 'Never'] }]
  assert.deepEqual(formDefinitionSchema.parse(aFormFile({ fields })).fields[0]?.options, [
    '24/7/always',
    'Never',
  ])
})

test('a parsed definition parses to itself', () => {
  const fields = [
    { name: 'size', label: 'Size', type: 'radio' as const, options: ['Small / s', 'L/L', 'Never'] },
    { name: 'plan', label: 'Plan', type: 'file' as const, validation: { accept: '.pdf, image/*' } },
    { name: 'rooms', label: 'Rooms', type: 'number' as const, default_value: 3 },
  ]
  const once = formDefinitionSchema.parse(aFormFile({ fields }))
  assert.deepEqual(once.fields[0]?.options, ['Small/s', 'L', 'Never'])
  assert.deepEqual(once.fields[1]?.validation.accept, ['.pdf', 'image/*'])
  assert.equal(once.fields[2]?.default_value, '3')
  assert.deepEqual(formDefinitionSchema.parse(once), once)
})

const REFUSED: [why: string, field: Record<string, unknown>, mistake: string][] = [
  ['a name in capitals', { name: 'Answer' }, 'fields.0.name: field_name'],
  ['a name that begins with _', { name: '_id' }, 'fields.0.name: field_name'],
  ['a name of 64 characters', { name: 'a'.repeat(64) }, 'fields.0.name: field_name'],
  ['an unknown type', { type: 'colour' }, 'fields.0.type: choice'],
  ['an unknown key', { help: 'x' }, 'fields.0: unknown_keys'],
  ['an empty label', { label: ' ' }, 'fields.0.label: label'],
  ['a select without options', { type: 'select' }, 'fields.0.options: options_missing'],
  ['options of a text', { options: ['A/a'] }, 'fields.0.options: options_useless'],
  [
    'an option without value',
    { type: 'select', options: ['Pick one/'] },
    'fields.0.options.0: option_incomplete',
  ],
  [
    'a value offered twice',
    { type: 'radio', options: ['A/x', 'B/x'] },
    'fields.0.options.1: option_repeated',
  ],
  ['look-around', { validation: { pattern: '(?=a)a' } }, 'fields.0.validation.pattern: pattern_invalid'],
  [
    'a pattern of 257 characters',
    { validation: { pattern: 'a'.repeat(257) } },
    'fields.0.validation.pattern: max_characters',
  ],
  ['a broken pattern', { validation: { pattern: '(' } }, 'fields.0.validation.pattern: pattern_invalid'],
  ['an unknown validation key', { validation: { maxlength: 3 } }, 'fields.0.validation: unknown_keys'],
  ['a max of a text', { validation: { max: 3 } }, 'fields.0.validation.max: validation_useless'],
  ['a blank message', { validation: { message: ' ' } }, 'fields.0.validation.message: sentence'],
  [
    'no kind of file',
    { type: 'file', validation: { accept: [] } },
    'fields.0.validation.accept: kinds_of_files',
  ],
  [
    'a blank kind of file',
    { type: 'file', validation: { accept: '' } },
    'fields.0.validation.accept: file_kind_unknown',
  ],
  [
    'lengths that cross',
    { validation: { min_length: 3, max_length: 2 } },
    'fields.0.validation.min_length: lengths_crossed',
  ],
  [
    'bounds that cross',
    { type: 'number', validation: { min: 3, max: 2 } },
    'fields.0.validation.min: bounds_crossed',
  ],
  [
    'days that cross',
    { type: 'date', validation: { min: '2026-11-21', max: '2026-11-20' } },
    'fields.0.validation.min: bounds_crossed',
  ],
  ['a number as a day', { type: 'date', validation: { min: 3 } }, 'fields.0.validation.min: bound_invalid'],
  [
    'a day as a number',
    { type: 'number', validation: { max: '2026-11-20' } },
    'fields.0.validation.max: bound_invalid',
  ],
  [
    'a hidden value that its own rule refuses',
    { type: 'hidden', default_value: 'spring-2026', validation: { max_length: 6 } },
    'fields.0.default_value: hidden_value_refused',
  ],
]

for (const [why, field, mistake] of REFUSED) {
  test(`contract §3 a form file with ${why} is refused at its position`, () => {
    assert.deepEqual(mistakesOfField(field), [mistake])
  })
}

test('§2.2 a field name is unique within a form, and is reported beside other mistakes', () => {
  const fields = [{ name: 'a', label: 'A' }, { name: 'b' }, { name: 'a', label: 'A again' }]
  const mistakes = mistakesOf({ name: 'Contact', fields })
  assert.equal(mistakes.length, 2)
  assert.match(mistakes.join('\n'), /^fields\.2\.name: field_repeated/m)
})

test('a form has at most 200 fields', () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `a${at}`, label: 'A', ...(at === 0 && { name: 'a' }) }))
  assert.deepEqual(mistakesOf(aFormFile({ fields: fields(200) })), [])
  assert.deepEqual(mistakesOf(aFormFile({ fields: fields(201) })), ['fields: too_many_fields'])
})

test('§2.1 the decoy’s name differs from every field', () => {
  assert.deepEqual(mistakesOf(aFormFile({ settings: { honeypot: 'website' } })), [])
  const fields = [
    { name: 'other', label: 'Other' },
    { name: 'answer', label: 'Answer' },
  ]
  const parsed = formDefinitionSchema.safeParse(aFormFile({ fields, settings: { honeypot: 'answer' } }))
  assert.deepEqual(parsed.error?.issues.map(problemOf), [
    { path: ['settings', 'honeypot'], code: 'decoy_is_field', params: { name: 'answer' } },
  ])
})

test('§2.1 settings are validated', () => {
  for (const settings of [
    { redirect_url: 'javascript:alert(1)' },
    { redirect_url: '//elsewhere.example' },
    { redirect_url: 'https://[' },
    { success_redirect: 'thanks' },
    { notification_email: 'nobody' },
    { retention_days: 0 },
    { honeypot: 'Web Site' },
    { anti_spam: 'strict' },
    { anti_spam: { max_links: -1 } },
    { anti_spam: { min_seconds: '2' } },
    { anti_spam: { captcha: true } },
    { colour: 'red' },
  ]) {
    assert.match(mistakesOf({ ...aFormFile(), settings }).join(), /^settings/, JSON.stringify(settings))
  }
  const settings = {
    redirect_url: '/thanks',
    success_redirect: 'https://example.com/a',
    retention_days: null,
    anti_spam: { max_links: null, min_seconds: 2, proof_of_work: true },
  }
  assert.deepEqual(formDefinitionSchema.parse(aFormFile({ settings })).settings, settings)
})

test('§2.1 texts and addresses in settings have maximum lengths and may be empty', () => {
  const address = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`
  for (const settings of [
    { submit_label: 'x'.repeat(60) },
    { submit_label: null },
    { redirect_url: address(2_000), success_redirect: null },
  ])
    assert.deepEqual(mistakesOf({ ...aFormFile(), settings }), [], JSON.stringify(settings).slice(0, 60))
  for (const [settings, mistake] of [
    [{ submit_label: 'x'.repeat(61) }, 'settings.submit_label: max_characters'],
    [{ redirect_url: address(2_001) }, 'settings.redirect_url: max_characters'],
    [{ success_redirect: 'https://[' }, 'settings.success_redirect: redirect_target'],
  ] as const)
    assert.deepEqual(mistakesOf({ ...aFormFile(), settings }), [mistake])
  const blank = formDefinitionSchema.parse(
    aFormFile({ settings: { submit_label: ' ', success_body: 'Hi ' } }),
  )
  assert.deepEqual(blank.settings, { submit_label: null, success_body: 'Hi ' })
})

test('a value that isn’t a form is refused without a crash', () => {
  for (const value of [
    null,
    [],
    'form',
    { name: 'Contact', fields: 'none' },
    { name: 'C', fields: [null] },
  ]) {
    assert.notDeepEqual(mistakesOf(value), [])
  }
})
