// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'
import {
  checkWebhookReferences,
  listUnknownReferences,
  webhookDefinition,
} from '#src/webhooks/definition/webhook-definition.ts'

const aDefinition = (values: object = {}) => ({ url: 'https://hooks.example.com/x', ...values })
const longUrl = (length: number) => 'https://hooks.example.com/'.padEnd(length, 'x')
const nested = (depth: number): object => (depth === 1 ? [] : [nested(depth - 1)])

test('§2.3 the defaults of a webhook', () => {
  assert.deepEqual(webhookDefinition.parse(aDefinition()), {
    name: 'Webhook',
    url: 'https://hooks.example.com/x',
    method: 'POST',
    headers: null,
    payload_template: null,
    fire_on: null,
    max_retries: 6,
    enabled: true,
  })
})

const ACCEPTED = [
  { url: 'http://127.0.0.1:9/hook?x=1' },
  { method: 'GET' },
  { headers: { Authorization: 'Bearer x', 'X-Team': 'sales' } },
  { payload_template: { a: ['{{email}}'] }, fire_on: { role: 'owner' } },
  { fire_on: {} },
  { signing_secret: 'a secret' },
  { signing_secret: null },
  { max_retries: 0 },
  { max_retries: 50 },
  { url: longUrl(4_000) },
  { url: '${HOOK_URL}' },
  { url: '${HOOK_URL}/${PATH}?x=1' },
  { url: 'https://${HOST}/x' },
  { url: 'https://a.example.com:${PORT}/x' },
  { fallback: true, fire_on: null },
  { accept_redirect: true },
  { signing_secret: 'x'.repeat(500) },
  // As JSON they have quotes, brackets, and names too.
  { payload_template: ['x'.repeat(100_000 - '[""]'.length)] },
  { fire_on: { role: 'x'.repeat(100_000 - '{"role":""}'.length) } },
  { payload_template: nested(50) },
  { name: 'x'.repeat(200), headers: { 'X-Key': 'x'.repeat(8_192) } },
  { headers: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`X-${index}`, '1'])) },
]

for (const values of ACCEPTED) {
  test(`§2.3 a webhook may have ${JSON.stringify(values).slice(0, 80)}`, () => {
    const { url, ...rest } = { url: aDefinition().url, ...values }
    assert.deepEqual(webhookDefinition.parse({ url, ...rest }), {
      ...webhookDefinition.parse({ url }),
      ...rest,
    })
  })
}

const problemsOf = (definition: object) =>
  webhookDefinition.safeParse(definition).error?.issues.map(problemOf) ?? []

/** The keys that are wrong, with the codes of the rules they break. */
const codesOf = (definition: object) => problemsOf(definition).map(({ path, code }) => [path[0], code])

const REFUSED: [object, code: string][] = [
  [{ name: 'x'.repeat(201) }, 'max_characters'],
  [{ url: longUrl(4_001) }, 'max_characters'],
  [{ signing_secret: 'x'.repeat(501) }, 'max_characters'],
  [{ headers: { 'X-Key': 'x'.repeat(8_193) } }, 'max_header_length'],
  [
    { headers: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, '1'])) },
    'max_headers',
  ],
  [{ payload_template: ['x'.repeat(100_001 - '[""]'.length)] }, 'max_json'],
  [{ fire_on: { role: 'x'.repeat(100_001 - '{"role":""}'.length) } }, 'max_json'],
  [{ payload_template: nested(51) }, 'template_too_deep'],
  [{ url: undefined }, 'type'],
  [{ url: 'ftp://example.com' }, 'webhook_address'],
  [{ url: 'hooks.example.com' }, 'webhook_address'],
  [{ url: 'https://' }, 'webhook_address'],
  [{ url: 'javascript:alert(1)' }, 'webhook_address'],
  [{ url: 'see https://a.example.com' }, 'webhook_address'],
  [{ url: 'https://${HOST}:${PORT}:1/' }, 'webhook_address'],
  [{ url: 'https://:pass@example.com' }, 'credentials_in_address'],
  [{ url: 'https://${USER}@example.com' }, 'credentials_in_address'],
  [{ url: 'https://user:pass@example.com' }, 'credentials_in_address'],
  [{ url: 'https://user@example.com' }, 'credentials_in_address'],
  [{ method: 'post' }, 'choice'],
  [{ method: 'TRACE' }, 'choice'],
  [{ method: 'CONNECT' }, 'choice'],
  [{ max_retries: 51 }, 'whole_number_between'],
  [{ max_retries: -1 }, 'whole_number_between'],
  [{ max_retries: 1.5 }, 'whole_number_between'],
  [{ max_retries: '6' }, 'whole_number_between'],
  [{ enabled: 1 }, 'type'],
  [{ name: '  ' }, 'min_characters'],
  [{ fire_on: { role: null } }, 'condition_value'],
  [{ fire_on: { all: [] } }, 'first_condition'],
  [{ signing_secret: '' }, 'signing_secret'],
  [{ signing_secret: '••••' }, 'new_secret'],
  [{ signing_secret: 'whsec_!' }, 'signing_secret'],
  [{ headers: { 'X-A': 1 } }, 'type'],
]

for (const [values, code] of REFUSED) {
  test(`§2.3 a webhook with ${JSON.stringify(values).slice(0, 80)} is refused`, () => {
    assert.deepEqual(codesOf(aDefinition(values)), [[Object.keys(values)[0], code]])
  })
}

test('too many headers are reported with the limit', () => {
  const headers = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, '1']))
  const problem = { path: ['headers'], code: 'max_headers', params: { max: 50 } }
  assert.deepEqual(problemsOf(aDefinition({ headers })), [problem])
})

test('a header value that is too long is reported with its name, its length, and the limit', () => {
  const headers = { 'X-Team': 'sales', 'X-Key': 'x'.repeat(8_193) }
  const params = { max: 8_192, length: 8_193 }
  assert.deepEqual(problemsOf(aDefinition({ headers })), [
    { path: ['headers', 'X-Key'], code: 'max_header_length', params },
  ])
})

test('contract §8: a fallback has no conditions', () => {
  const fallback = { fallback: true, fire_on: { role: 'owner' } }
  assert.deepEqual(codesOf(aDefinition(fallback)), [['fire_on', 'fallback_with_conditions']])
})

const REFUSED_HEADERS: [string, string, code: string][] = [
  ...[
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Keep-Alive',
    'TE',
    'trailer',
    'Upgrade',
  ].map((name) => [name, 'x', 'header_framing'] as [string, string, string]),
  ...['Expect', 'Proxy-Authorization', 'proxy-connection'].map(
    (name) => [name, 'x', 'header_framing'] as [string, string, string],
  ),
  ...[
    'X-Signature',
    'webhook-id',
    'Webhook-Timestamp',
    'webhook-signature',
    'Content-Type',
    'User-Agent',
  ].map((name) => [name, 'x', 'header_reserved'] as [string, string, string]),
  ['', 'x', 'header_name'],
  ['X Team', 'x', 'header_name'],
  ['X-Team:', 'x', 'header_name'],
  ['X-Tëam', 'x', 'header_name'],
  ['X-Team\r\nHost', 'x', 'header_name'],
  ['X-Team', 'a\r\nHost: evil', 'header_value'],
  ['X-Team', 'a\nb', 'header_value'],
  ['X-Team', 'a\0b', 'header_value'],
  ['X-Team', '€', 'header_value'],
]

for (const [name, value, code] of REFUSED_HEADERS) {
  test(`§2.3 the header ${JSON.stringify(name)}: ${JSON.stringify(value)} is refused`, () => {
    assert.deepEqual(problemsOf(aDefinition({ headers: { [name]: value } })), [
      { path: ['headers', name], code },
    ])
  })
}

test('§2.3 a webhook with an unknown key is refused', () => {
  assert.deepEqual(codesOf(aDefinition({ secret: 'x' })), [[undefined, 'unknown_keys']])
})

test('§2.3 a header can’t be repeated in another case', () => {
  const headers = { 'X-Team': 'a', 'x-team': 'b' }
  assert.deepEqual(problemsOf(aDefinition({ headers })), [
    { path: ['headers', 'x-team'], code: 'header_repeated' },
  ])
})

test('contract §6: references to missing fields are found', () => {
  const definition = webhookDefinition.parse(
    aDefinition({
      payload_template: { a: '{{email}} {{phone}}', b: '{{meta.form_slug}}', c: '{{meta.nothing}}' },
      fire_on: { any: [{ email: 'x' }, { field: 'role', op: 'empty' }, { 'meta.form_slug': 'quote' }] },
    }),
  )
  const problems = checkWebhookReferences(definition, [{ name: 'email', hasOptions: false }])
  assert.deepEqual(
    problems.map(({ part, code, mention }) => [part, code, mention]),
    [
      ['payload_template', 'unknown_field', 'phone'],
      ['payload_template', 'unknown_meta_key', 'meta.nothing'],
      ['fire_on', 'unknown_field', 'role'],
    ],
  )
  assert.deepEqual(listUnknownReferences(definition, [{ name: 'email', hasOptions: false }]), {
    payload_template: ['phone', 'meta.nothing'],
    fire_on: ['role'],
  })
  const nothing = webhookDefinition.parse(aDefinition())
  assert.deepEqual(checkWebhookReferences(nothing, []), [])
  assert.deepEqual(listUnknownReferences(nothing, []), { payload_template: [], fire_on: [] })
})
