import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeRule } from '#src/messages/files/rules/rule.ts'
import { listNullWarnings } from '#src/templates/null-warnings.ts'
import { toTemplateField } from '#src/templates/template-field.ts'
import { checkWebhookReferences, webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import { assertSays } from '../../support/wording.ts'

const FIELDS = [
  { name: 'email', type: 'email', required: true, hasOptions: false },
  { name: 'budget', type: 'number', required: false, hasOptions: false },
  { name: 'service', type: 'select', required: false, hasOptions: true },
  { name: 'extras', type: 'checkbox', required: false, hasOptions: true },
  { name: 'call_back', type: 'checkbox', required: false, hasOptions: false },
]

const REFUSED: [string, string, code: string, RegExp][] = [
  [
    'an unknown filter',
    '{{email | upper}}',
    'unknown_filter',
    /unknown filter "upper" in {{email \| upper}}, expected default/,
  ],
  [
    'an unknown filter inside text',
    'a {{email | Text}} b',
    'unknown_filter',
    /expected default: "…", text, or escape$/,
  ],
  ['no filter after the pipe', '{{email | }}', 'unknown_filter', /unknown filter ""/],
  [
    'a default without a value',
    '{{email | default}}',
    'filter_value_invalid',
    /invalid default in {{email \| default}}, expected/,
  ],
  [
    'a default that is not quoted',
    '{{email | default: none}}',
    'filter_value_invalid',
    /expected default: "text"/,
  ],
  [
    'a default with an open quote',
    '{{email | default: "none}}',
    'filter_value_invalid',
    /expected default: "text"/,
  ],
  ['a value for text', '{{email | text: "x"}}', 'filter_value_useless', /text does not accept a value/],
  [
    'an unreadable value for text',
    '{{email | text: x}}',
    'filter_value_useless',
    /text does not accept a value/,
  ],
  ['two words for a filter', '{{email | up per }}', 'unknown_filter', /unknown filter "up per"/],
  ['a value for escape', '{{email | escape: 1}}', 'filter_value_useless', /escape does not accept a value/],
  [
    'an unknown field with a filter',
    '{{nope | text}}',
    'unknown_field',
    /unknown reference "nope", expected a form field/,
  ],
  ['an unknown field with a label', '{{nope.label}}', 'unknown_field', /unknown reference "nope"/],
  [
    'an unknown key of meta with a filter',
    '{{meta.nope | default: "x"}}',
    'unknown_meta_key',
    /"meta.nope", expected meta\./,
  ],
  [
    'a label of meta',
    '{{meta.form_slug.label}}',
    'unknown_meta_key',
    /unknown reference "meta.form_slug.label"/,
  ],
  [
    'a label without choices',
    '{{email.label}}',
    'labels_missing',
    /no labels for {{email.label}}, because email has no options; use {{email}}/,
  ],
  [
    'more filters than anybody needs',
    `{{email${' | text'.repeat(11)}}}`,
    'too_many_filters',
    /too many filters in .* at most 10$/,
  ],
  [
    'more references than fit a body',
    '{{email}}'.repeat(501),
    'too_many_references',
    /too many references, expected at most 500$/,
  ],
  [
    'a reference that is not closed',
    'Dear {{email, call {{budget}} to {email}',
    'reference_unclosed',
    /"{{email, call" has no closing }}; expected {{field}}$/,
  ],
  ['a name that is none', '{{email text}}', 'unknown_field', /unknown reference "email text"/],
]

for (const [what, template, code, wording] of REFUSED) {
  test(`contract §8: ${what} is refused with the possible values`, () => {
    const definition = webhookDefinition.parse({ url: 'https://a.example.com', payload_template: [template] })
    const problems = checkWebhookReferences(definition, FIELDS)
    assert.equal(problems.length, 1, JSON.stringify(problems))
    const [problem] = problems
    assert.equal(problem?.code, code)
    assertSays(problem ? describeRule(problem) : '', wording)
  })
}

test('an unknown field is reported with the form’s fields', () => {
  const [problem] = checkWebhookReferences({ payload_template: '{{nope}}', fire_on: null }, FIELDS)
  assert.deepEqual(problem?.code === 'unknown_field' && problem.params, {
    ...{ name: 'nope', fields: ['email', 'budget', 'service', 'extras', 'call_back'] },
  })
})

test('contract §8: a template has at most 500 references with 10 filters each', () => {
  for (const template of ['{{email}}'.repeat(500), `{{email${' | text'.repeat(10)}}}`]) {
    const definition = webhookDefinition.parse({ url: 'https://a.example.com', payload_template: [template] })
    assert.deepEqual(checkWebhookReferences(definition, FIELDS), [])
  }
})

test('contract §8: the first hundred errors are listed, each with 200 characters of its text', () => {
  const problemsOf = (payload_template: string[]) =>
    checkWebhookReferences(
      webhookDefinition.parse({ url: 'https://a.example.com', payload_template }),
      FIELDS,
    )
  const unknown = (count: number) => Array.from({ length: count }, (_, at) => `{{nope_${at}}}`)
  assert.deepEqual(
    [99, 100, 101].map((count) => problemsOf(unknown(count)).length),
    [99, 100, 100],
  )
  const filtered = (length: number) => `{{email | ${'x'.repeat(length - '{{email | }}'.length)}}}`
  const mentionOf = (length: number) => {
    const [problem] = problemsOf([filtered(length)])
    return problem?.code === 'unknown_filter' && problem.params.mention
  }
  assert.equal(mentionOf(200), filtered(200))
  assert.equal(mentionOf(201), `${filtered(201).slice(0, 200)}…`)
})

test('contract §8: every reference and filter is accepted', () => {
  const template = {
    a: '{{budget | default: "text"}} {{ service.label|default:\'x\' |escape }}',
    b: ['{{extras.label}}', '{{meta.location_name | text}}', '{{budget | default: -1.5}}'],
    c: '{{call_back | default: false}} {{budget | default: null}} }} or {',
  }
  const definition = webhookDefinition.parse({ url: 'https://a.example.com', payload_template: template })
  assert.deepEqual(checkWebhookReferences(definition, FIELDS), [])
})

const NULLS: [string, string | undefined][] = [
  ['{{budget}}', '{{budget | text}}'],
  ['{{ service.label }}', '{{service.label | text}}'],
  ['{{meta.location_name}}', '{{meta.location_name | text}}'],
  ['{{email}}', undefined],
  ['{{extras}}', undefined],
  ['{{call_back}}', undefined],
  ['{{meta.form_name}}', undefined],
  ['USD {{budget}}', undefined],
  ['{{budget | text}}', undefined],
  ['{{budget | escape}}', undefined],
  ['{{budget | default: "none"}}', undefined],
  ['{{budget | default: null}}', undefined],
  ['{{nope}}', undefined],
]

for (const [text, fix] of NULLS) {
  test(`contract §8: ${text} ${fix ? 'can be null, and the warning has the fix' : 'needs no warning'}`, () => {
    const warnings = listNullWarnings({ embeds: [{ value: text }] }, FIELDS)
    const expected = { path: ['embeds', 0, 'value'], written: text, fix }
    assert.deepEqual(warnings, fix === undefined ? [] : [expected])
  })
}

test('a webhook without a template never sends null for text', () => {
  assert.deepEqual(listNullWarnings(null, FIELDS), [])
})

test('up to a hundred template problems are listed, each truncated', () => {
  const unknown = Array.from({ length: 400 }, (_, index) => `{{x${index}}}`).join('')
  const long = `{{email | ${'x'.repeat(5_000)}}}`
  const filters = `{{email${Array.from({ length: 20_000 }, (_, index) => `|${index}`).join('')}}}`
  const problemsOf = (template: string) =>
    checkWebhookReferences({ payload_template: template, fire_on: null }, FIELDS)
  assert.equal(problemsOf(unknown).length, 100)
  assert.equal(problemsOf(filters).length, 1)
  assert.ok(JSON.stringify(problemsOf(filters)[0]?.params).length < 1_000)
  assert.ok(problemsOf(long).length === 1)
})

test('a question with options has labels in templates', () => {
  const field = { name: 'size', type: 'select', required: true, label: 'Size' }
  const known = { name: 'size', type: 'select', required: true }
  assert.deepEqual(toTemplateField({ ...field, options: ['Big/b'] }), { ...known, hasOptions: true })
  assert.deepEqual(toTemplateField({ ...field, options: [] }), { ...known, hasOptions: false })
})
