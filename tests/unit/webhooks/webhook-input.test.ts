// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInputProblem } from '#src/messages/admin/webhooks/webhooks.ts'
import type { Webhook } from '#src/webhooks/definition/webhook.ts'
import { webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'
import {
  readWebhookInput,
  toWebhookInput,
  type WebhookInput,
} from '#src/webhooks/definition/webhook-input.ts'
import { toDraftWebhook } from '#src/webhooks/definition/webhook-store.ts'
import { assertSays } from '../../support/wording.ts'

const FIELDS = [
  { name: 'email', type: 'email', hasOptions: false },
  { name: 'role', type: 'text', hasOptions: false },
]

function aWebhook(values: object = {}): Webhook {
  const definition = webhookDefinition.parse({ name: 'Office', url: 'https://a.example.com', ...values })
  return toDraftWebhook(definition, { formId: 1 })
}

function read(changes: Partial<WebhookInput>, stored?: Webhook) {
  const input = {
    ...toWebhookInput(stored, FIELDS),
    name: 'Office',
    url: 'https://a.example.com',
    ...changes,
  }
  return readWebhookInput(input, { stored, fields: FIELDS })
}

function problemsOf(changes: Partial<WebhookInput>, stored?: Webhook) {
  const outcome = read(changes, stored)
  return outcome.kind === 'invalid' ? outcome.problems : []
}

test('the editor’s values of a stored webhook describe the same webhook', () => {
  const stored = aWebhook({
    ...{ headers: { 'X-Team': 'sales' }, payload_template: { a: ['{{email}}', 1] }, max_retries: 0 },
    ...{ fire_on: { any: [{ field: 'role', op: 'in', value: ['owner', 'agency'] }] }, enabled: false },
  })
  const outcome = readWebhookInput(toWebhookInput(stored, FIELDS), { stored, fields: FIELDS })
  assert.equal(outcome.kind, 'valid')
  const { definition } = outcome as Extract<typeof outcome, { kind: 'valid' }>
  assert.deepEqual(toDraftWebhook(definition, { formId: 1 }), stored)
})

for (const [what, values] of [
  ['its fallback', { fallback: true }],
  ['its redirects', { accept_redirect: true, method: 'PUT' }],
  ['a condition that no rows show', { fire_on: { not: { role: 'owner' } } }],
  ['an empty condition', { fire_on: {} }],
  ['spaces around its name', { name: '  Office ' }],
  ['a space behind its address', { url: 'https://a.example.com/x ' }],
] as const)
  test(`an unchanged webhook in the editor keeps ${what}`, () => {
    const stored = { ...aWebhook(values), ...('name' in values && { name: values.name }) } as Webhook
    const outcome = readWebhookInput(toWebhookInput(stored, FIELDS), { stored, fields: FIELDS })
    assert.ok(outcome.kind === 'valid', JSON.stringify(outcome))
    assert.deepEqual(toDraftWebhook(outcome.definition, { formId: 1 }), stored)
  })

test('the editor shows rows, text, or JSON', () => {
  const shown = (values: object) => {
    const { match, rules, fire_on, template } = toWebhookInput(aWebhook(values), FIELDS)
    return { match, rules, fire_on, template }
  }
  const nothing = { match: 'always', rules: [], fire_on: '', template: '' }
  assert.deepEqual(shown({}), nothing)
  assert.deepEqual(shown({ fallback: true }), { ...nothing, match: 'fallback' })
  assert.deepEqual(shown({ fire_on: { not: { role: 'x' } }, payload_template: { a: 1 } }), {
    ...{ match: 'json', rules: [] },
    ...{ fire_on: '{\n  "not": {\n    "role": "x"\n  }\n}', template: '{\n  "a": 1\n}' },
  })
  assert.deepEqual(shown({ fire_on: { role: 'x' } }).rules, [{ field: 'role', op: 'eq', value: 'x' }])
})

test('edits in the editor replace stored values part by part', () => {
  const stored = aWebhook({ payload_template: { a: 1 }, fire_on: { role: 'owner' } })
  const after = (changes: Partial<WebhookInput>) => {
    const outcome = read(changes, stored)
    assert.ok(outcome.kind === 'valid', JSON.stringify(outcome))
    return toDraftWebhook(outcome.definition, { formId: 1 })
  }
  assert.deepEqual(after({ name: 'Desk' }), { ...stored, name: 'Desk' })
  assert.deepEqual(after({ url: ' https://b.example.com/x ' }), { ...stored, url: 'https://b.example.com/x' })
  assert.deepEqual(after({ template: '[2]' }), { ...stored, payloadTemplate: [2] })
  assert.deepEqual(after({ template: ' \n' }), { ...stored, payloadTemplate: null })
  assert.deepEqual(after({ max_retries: ' 12 ' }), { ...stored, maxRetries: 12 })
  assert.deepEqual(after({ enabled: false, accept_redirect: true }), {
    ...{ ...stored, enabled: false },
    acceptRedirect: true,
  })
  assert.deepEqual(after({ match: 'always' }), { ...stored, fireOn: null })
  assert.deepEqual(after({ match: 'fallback' }), { ...stored, fireOn: null, fallback: true })
  assert.deepEqual(after({ match: 'json', fire_on: '{"role":"x"}' }), { ...stored, fireOn: { role: 'x' } })
  assert.deepEqual(after({ rules: [{ field: 'email', op: 'empty', value: '' }] }), {
    ...stored,
    fireOn: { all: [{ field: 'email', op: 'empty' }] },
  })
})

test('reliability: secrets and environment values don’t move to another origin; other headers do', () => {
  const headers = { Authorization: 'sealed:v1.abc', 'X-Team': 'sales', 'X-Path': 'a/${HOOK_PATH}' }
  const stored = aWebhook({ headers })
  const shown = toWebhookInput(stored, FIELDS).headers
  const after = (changes: Partial<WebhookInput>) => {
    const outcome = read({ headers: shown, ...changes }, stored)
    assert.ok(outcome.kind === 'valid', JSON.stringify(outcome))
    return [outcome.definition.headers, outcome.dropped]
  }
  assert.deepEqual(after({ url: 'https://a.example.com/other' }), [headers, []])
  assert.deepEqual(after({ url: ' https://a.example.com ' }), [headers, []])
  const left = [{ 'X-Team': 'sales' }, ['Authorization', 'X-Path']]
  for (const url of ['https://b.example.com', 'http://a.example.com', 'https://a.example.com:8443'])
    assert.deepEqual(after({ url }), left, url)
  const given = 'Authorization: Bearer new'
  assert.deepEqual(after({ url: 'https://b.example.com', headers: given }), [
    { Authorization: 'Bearer new' },
    [],
  ])
})

test('a webhook has at most fifty headers, and an invalid line is reported', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `X-${at}: 1`).join('\n')
  assert.equal(read({ headers: lines(50) }).kind, 'valid')
  const line = ['  no colon ', ': 1', 'a b: 1']
  for (const one of line)
    assert.deepEqual(problemsOf({ headers: `X: 1\n${one}` }), [
      { input: 'headers', code: 'header_line_invalid', params: { line: one.trim() } },
    ])
  const spaced = read({ headers: '  X-Team :  sales: all  \nX-None:' })
  assert.ok(spaced.kind === 'valid')
  assert.deepEqual(spaced.definition.headers, { 'X-Team': 'sales: all', 'X-None': '' })
})

test('retries are read as up to three digits', () => {
  for (const max_retries of ['1e1', '7x', 'x7', '', '0007', '-1'])
    assert.equal(problemsOf({ max_retries })[0]?.code, 'whole_number_between', max_retries)
})

test('a secret header is shown as dots: kept dots keep it, a new value replaces it, a removed line removes it', () => {
  const stored = aWebhook({ headers: { Authorization: 'sealed:v1.abc', 'X-Team': 'sales' } })
  const { headers } = toWebhookInput(stored, FIELDS)
  assert.equal(headers, 'Authorization: ••••\nX-Team: sales')
  const headersAfter = (text: string) => {
    const outcome = read({ headers: text }, stored)
    return outcome.kind === 'valid' ? outcome.definition.headers : outcome.problems
  }
  assert.deepEqual(headersAfter(headers), stored.headers)
  assert.deepEqual(headersAfter('Authorization: Bearer new'), { Authorization: 'Bearer new' })
  assert.equal(headersAfter(' \n'), null)
})

for (const [name, changes, input, code, wording] of [
  ['an address that is none', { url: 'nope' }, 'url', 'webhook_address', /starts with https/],
  [
    'a header with a line separator',
    { headers: 'X-Team: a\u2028b' },
    'headers',
    'header_line_invalid',
    /Name: value/,
  ],
  ['a header without a colon', { headers: 'X-Team' }, 'headers', 'header_line_invalid', /Name: value/],
  [
    'a header that appears twice',
    { headers: 'A: 1\nB: 2\na: 3' },
    'headers',
    'header_line_repeated',
    /header a appears more than once/,
  ],
  [
    'a header that is there twice with one value',
    { headers: 'A: 1\nA: 1' },
    'headers',
    'header_line_repeated',
    /more than once/,
  ],
  [
    'too many headers',
    { headers: Array.from({ length: 51 }, (_, i) => `X-${i}: 1`).join('\n') },
    'headers',
    'many_headers',
    /at most 50 headers/,
  ],
  ['a long name', { name: 'x'.repeat(100_000) }, 'name', 'max_characters', /at most 200 characters/],
  [
    'a header of ours',
    { headers: 'Webhook-Id: 1' },
    'headers',
    'header_reserved',
    /sets this header automatically/,
  ],
  ['a template that is no JSON', { template: '{' }, 'template', 'json_invalid', /not valid JSON/],
  [
    'a template of ever more levels',
    { template: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
    'template',
    'template_too_deep',
    /nested at most 50 levels deep/,
  ],
  [
    'a template of levels that do not end',
    { template: '['.repeat(500_000) },
    'template',
    'template_too_deep',
    /nested at most 50 levels deep/,
  ],
  [
    'brackets in strings',
    { template: `"${'[{\\"'.repeat(60)}` },
    'template',
    'json_invalid',
    /not valid JSON/,
  ],
  [
    'an unknown reference',
    { template: '"{{nope}}"', url: 'nope' },
    'template',
    'unknown_field',
    /Unknown reference "nope"/,
  ],
  ['too many retries', { max_retries: '51' }, 'max_retries', 'whole_number_between', /0 to 50/],
  ['no number of retries', { max_retries: 'many' }, 'max_retries', 'whole_number_between', /0 to 50/],
  [
    'a rule on a field that is gone',
    { match: 'all', rules: [{ field: 'gone', op: 'eq', value: 'x' }] },
    'rules',
    'unknown_field',
    /Unknown reference "gone"/,
  ],
  [
    'a rule that compares with no number',
    { match: 'all', rules: [{ field: 'role', op: 'gt', value: 'x' }] },
    'rules',
    'comparable',
    /condition 1, value: enter a number/,
  ],
  ['a condition that is not JSON', { match: 'json', fire_on: '{' }, 'fire_on', 'json_invalid', /JSON/],
  [
    'a condition that is none',
    { match: 'json', fire_on: '{"op": "sql"}' },
    'fire_on',
    'choice',
    /enter one of/,
  ],
  [
    'a name of the environment',
    { url: 'https://a.example.com/${SECRET_KEY}' },
    'url',
    'variable_new',
    /SECRET_KEY.* is new/,
  ],
  ['… in a header', { headers: 'X-A: ${SECRET_KEY}' }, 'headers', 'variable_new', /SECRET_KEY.* is new/],
] as const) {
  test(`§2.3 the editor refuses ${name} and says where`, () => {
    const problems = problemsOf(changes as Partial<WebhookInput>).filter((one) => one.input === input)
    assert.equal(problems[0]?.code, code)
    assertSays(problems.map(describeInputProblem).join(' '), wording)
  })
}

test('contract §3 a webhook’s environment variables may stay and move within its origin', () => {
  const stored = aWebhook({ url: 'https://a.example.com/${HOOK_PATH}' })
  const moved = read({ url: 'https://a.example.com/', headers: 'X-Path: ${HOOK_PATH}' }, stored)
  assert.equal(moved.kind, 'valid')
  const problems = problemsOf({ url: 'https://b.example.com/', headers: 'X-Path: ${HOOK_PATH}' }, stored)
  const params = { name: 'HOOK_PATH', origin: 'https://a.example.com' }
  assert.deepEqual(problems, [{ input: 'headers', code: 'variable_moved', params }])
})

test('thousands of header lines are parsed quickly', () => {
  const lines = Array.from({ length: 50_000 }, (_, index) => `X-${index}: 1`)
  const before = process.threadCpuUsage()
  const problems = problemsOf({ headers: [...lines, 'x-7: 2'].join('\n') })
  const { user, system } = process.threadCpuUsage(before)
  assert.deepEqual(problems, [{ input: 'headers', code: 'many_headers', params: { max: 50 } }])
  assert.ok(user + system < 1_000_000, `${(user + system) / 1_000} ms`)
})
