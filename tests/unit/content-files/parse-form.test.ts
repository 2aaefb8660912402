import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLocatedYaml } from '#src/content-files/parsing/located-yaml.ts'
import { parseForm } from '#src/content-files/parsing/parse-form.ts'
import { writeDocument } from '#src/content-files/write-document.ts'
import { codeOf } from '../../support/wording.ts'

const FIELDS = `name: Quote
fields:
  - { name: email, type: email, label: Email, required: true }
  - { name: agrees, type: checkbox, label: Agreed }
  - { name: city, type: select, label: City, options: [A, B] }
`

function parse(text: string, environment: Record<string, string> = {}) {
  const read = parseLocatedYaml(text, { firstLine: 1 })
  assert.equal(read.kind, 'parsed')
  return parseForm({ path: 'forms/quote.yaml', slug: 'quote', yaml: read.yaml, environment, stored: [] })
}

const hook = (...lines: string[]) =>
  `${FIELDS}webhooks:\n  - name: Chat\n    url: https://chat.example/hook\n${lines.map((line) => `    ${line}\n`).join('')}`

const ADDRESS_LINE = 7

for (const [name, text, expected] of [
  ['a form without webhooks', FIELDS, []],
  ['webhooks that are null', `${FIELDS}webhooks:\n`, []],
  ['webhooks that aren’t a list', `${FIELDS}webhooks: none\n`, ['6 value_wrong/type']],
  ['a webhook that isn’t an object', `${FIELDS}webhooks: [Chat]\n`, ['6 value_wrong/type']],
  ['an unknown key of a webhook', hook('retries: 1'), ['9 unknown_key']],
  ['a text instead of a form', 'Quote\n', ['1 value_wrong/type']],
  [
    'a field without a name',
    'name: Quote\nfields:\n  - { type: text, label: A }\n',
    ['3 value_missing/type'],
  ],
  ['fields that aren’t a list', 'name: Quote\nfields: none\n', ['2 value_wrong/type']],
  ['a known reference', hook('payload_template: "{{email}} {{city.label}}"'), []],
  [
    'an unknown reference',
    hook('payload_template:', '  a: "{{email}}"', '  b: ["-", "{{phone}}"]'),
    ['11 value_faulty/unknown_field'],
  ],
  ['an unknown reference as a key', hook('payload_template:', '  a: x', '  "{{phone}}": x'), []],
  [
    'a label of a field without options',
    hook('payload_template: "{{agrees.label}}"'),
    ['9 value_faulty/labels_missing'],
  ],
  [
    'an unknown field in a condition',
    hook('fire_on:', '  email: a', '  colour: red'),
    ['11 value_faulty/unknown_field'],
  ],
  [
    'an unknown reference in an invalid webhook of an invalid form',
    hook('payload_template: "{{phone}}"', 'retries: 1').replace('required: true', 'required: maybe'),
    ['3 value_wrong/type', '10 unknown_key', '9 value_faulty/unknown_field'],
  ],
  [
    'an unknown reference in a mail',
    `${FIELDS}settings:\n  reply:\n    subject: "{{phone}}"\n    text: Hello\n`,
    ['8 value_faulty/unknown_field'],
  ],
  [
    'a wrong value inside the spam rules',
    `${FIELDS}settings:\n  anti_spam:\n    min_seconds: 3\n    max_links: many\n`,
    ['9 value_wrong/whole_number'],
  ],
  ['a text as spam rules', `${FIELDS}settings:\n  anti_spam: off\n`, ['7 value_wrong/anti_spam']],
  [
    'a picture of another site in the text after sending',
    `${FIELDS}settings:\n  success_body: "![A](https://a.example/b.png)"\n`,
    ['7 picture_foreign'],
  ],
] satisfies [string, string, string[]][]) {
  test(`${name} in a form’s file: ${expected.join(', ') || 'no mistake'}`, () => {
    const { mistakes, references, document } = parse(text)
    // Unless they are stored already.
    const faulty = references.flatMap((reference) => (reference.to === 'faulty_part' ? reference : []))
    assert.deepEqual(
      [...mistakes, ...faulty].map(({ line, fault }) => `${line} ${codeOf(fault)}`),
      expected,
    )
    assert.equal(document === undefined, mistakes.length > 0)
  })
}

test('an unknown spam rule is reported with the known ones', () => {
  const [mistake] = parse(`${FIELDS}settings:\n  anti_spam: { max_link: 3 }\n`).mistakes
  const choices = { names: ['max_links', 'min_seconds', 'proof_of_work'], isCut: false }
  const params = { name: 'settings.anti_spam.max_link', choices }
  assert.deepEqual(mistake?.fault, { code: 'unknown_key', params })
})

test('an unset value is reported by its name and key, and isn’t an invalid value too', () => {
  const text = hook(
    'headers: { X-Site: "${SITE} ${ID}", X-Open: yes-please }',
    'signing_secret: ${SECRET}',
  ).replace('https://chat.example/hook', '${HOOK}')
  const unset = (line: number, name: string, key: string) => {
    const path = 'forms/quote.yaml'
    return { path, line, fault: { code: 'variable_unset', params: { name, key } } }
  }
  assert.deepEqual(parse(text).mistakes, [
    unset(ADDRESS_LINE + 1, 'HOOK', 'url'),
    unset(10, 'SECRET', 'signing_secret'),
    unset(9, 'SITE', 'headers.X-Site'),
    unset(9, 'ID', 'headers.X-Site'),
  ])
  const environment = { SITE: 'a', ID: '', SECRET: `whsec_${'a'.repeat(32)}`, HOOK: 'https://a.example/' }
  assert.deepEqual(parse(text, environment).mistakes, [unset(9, 'ID', 'headers.X-Site')])
  const { document } = parse(text, { ...environment, ID: '1' })
  assert.ok(document?.kind === 'form')
  const [webhook] = document.webhooks
  assert.deepEqual(
    [webhook?.url, webhook?.headers, webhook?.signing_secret],
    ['${HOOK}', { 'X-Site': '${SITE} ${ID}', 'X-Open': 'yes-please' }, '${SECRET}'],
  )
})

test('a value of the environment that makes an invalid webhook is a mistake', () => {
  const text = hook('headers: { X-Site: "${SITE}" }')
  const { mistakes } = parse(text, { SITE: 'a\nb' })
  assert.deepEqual(
    mistakes.map(({ line }) => line),
    [9],
  )
})

test('dots, a missing secret, and pictures refer to what is stored', () => {
  const { references, document } = parse(
    `${hook('headers: { X-Key: ••••, X-Site: a }')}settings:\n  success_body: "![A](a.png)"\n`,
  )
  assert.deepEqual(references, [
    { to: 'stored_header', webhook: 0, name: 'X-Key', line: 9 },
    { to: 'stored_secret', webhook: 0, line: 8 },
    { to: 'picture', name: 'a.png', line: 11 },
  ])
  assert.ok(document?.kind === 'form')
  assert.deepEqual(document.webhooks[0]?.headers, { 'X-Key': '••••', 'X-Site': 'a' })
  assert.deepEqual(parse(hook('signing_secret: null')).references, [])
})

test('values that may be null are a warning, except in an address', () => {
  const template = ['payload_template:', '  a: "{{agrees}} x"', '  b: ["{{city}}", "{{city}}", "{{email}}"]']
  assert.deepEqual(parse(hook(...template)).warnings, [
    {
      path: 'forms/quote.yaml',
      line: 11,
      fault: { code: 'payload_nulls', params: { written: ['{{city}}'], fixes: ['{{city | text}}'] } },
    },
  ])
  assert.deepEqual(parse(hook('method: GET', ...template)).warnings, [])
})

test('empty values that an exported file leaves out mean the same as none', () => {
  const text = hook('headers: {}').replace('label: Email', 'label: Email, default_value: ""')
  const { document } = parse(text)
  assert.ok(document)
  assert.deepEqual(parse(writeDocument(document)).document, document)
})
