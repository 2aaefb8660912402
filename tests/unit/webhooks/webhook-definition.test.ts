import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWebhookReferences, webhookDefinition } from '#src/webhooks/definition/webhook-definition.ts'

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

const REFUSED: [object, RegExp][] = [
  [{ name: 'x'.repeat(201) }, /name.*at most 200 characters/s],
  [{ url: longUrl(4_001) }, /at most 4000 characters/],
  [{ signing_secret: 'x'.repeat(501) }, /at most 500 characters/],
  [
    { headers: { 'X-Key': 'x'.repeat(8_193) } },
    /X-Key.*at most 8192 characters|at most 8192 characters.*X-Key/s,
  ],
  [
    { headers: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, '1'])) },
    /at most 50 headers/,
  ],
  [{ payload_template: ['x'.repeat(100_001 - '[""]'.length)] }, /at most 100000 characters of JSON/],
  [{ fire_on: { role: 'x'.repeat(100_001 - '{"role":""}'.length) } }, /at most 100000 characters of JSON/],
  [{ payload_template: nested(51) }, /nested 50 deep/],
  [{ url: undefined }, /url/],
  [{ url: 'ftp://example.com' }, /starts with https/],
  [{ url: 'hooks.example.com' }, /starts with https/],
  [{ url: 'https://' }, /starts with https/],
  [{ url: 'javascript:alert(1)' }, /starts with https/],
  [{ url: 'https://user:pass@example.com' }, /user name or password/],
  [{ url: 'https://user@example.com' }, /user name or password/],
  [{ method: 'post' }, /expected one of POST/],
  [{ method: 'TRACE' }, /expected one of POST/],
  [{ method: 'CONNECT' }, /expected one of POST/],
  [{ max_retries: 51 }, /0 to 50/],
  [{ max_retries: -1 }, /0 to 50/],
  [{ max_retries: 1.5 }, /0 to 50/],
  [{ max_retries: '6' }, /0 to 50/],
  [{ enabled: 1 }, /enabled/],
  [{ name: '  ' }, /name/],
  [{ fire_on: { role: null } }, /expected a text/],
  [{ fire_on: { all: [] } }, /at least one condition/],
  [{ signing_secret: '' }, /not empty/],
  [{ signing_secret: 'whsec_!' }, /base64/],
  [{ secret: 'x' }, /secret/],
  [{ headers: { 'X-A': 1 } }, /headers/],
]

for (const [values, problem] of REFUSED) {
  test(`§2.3 a webhook with ${JSON.stringify(values).slice(0, 80)} is refused`, () => {
    const result = webhookDefinition.safeParse(aDefinition(values))
    assert.match(JSON.stringify(result.error?.issues), problem)
  })
}

const REFUSED_HEADERS: [string, string, RegExp][] = [
  ...[
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Keep-Alive',
    'TE',
    'trailer',
    'Upgrade',
  ].map((name) => [name, 'x', /frames the request/] as [string, string, RegExp]),
  ...['Expect', 'Proxy-Authorization', 'proxy-connection'].map(
    (name) => [name, 'x', /frames the request/] as [string, string, RegExp],
  ),
  ...[
    'X-Signature',
    'webhook-id',
    'Webhook-Timestamp',
    'webhook-signature',
    'Content-Type',
    'User-Agent',
  ].map((name) => [name, 'x', /Signpost sets this header/] as [string, string, RegExp]),
  ['', 'x', /header name/],
  ['X Team', 'x', /header name/],
  ['X-Team:', 'x', /header name/],
  ['X-Tëam', 'x', /header name/],
  ['X-Team\r\nHost', 'x', /header name/],
  ['X-Team', 'a\r\nHost: evil', /one line/],
  ['X-Team', 'a\nb', /one line/],
  ['X-Team', 'a\0b', /one line/],
  ['X-Team', '€', /Latin-1/],
]

for (const [name, value, problem] of REFUSED_HEADERS) {
  test(`§2.3 the header ${JSON.stringify(name)}: ${JSON.stringify(value)} is refused`, () => {
    const result = webhookDefinition.safeParse(aDefinition({ headers: { [name]: value } }))
    assert.match(JSON.stringify(result.error?.issues), problem)
  })
}

test('§2.3 a header is not given twice in different spelling', () => {
  const result = webhookDefinition.safeParse(aDefinition({ headers: { 'X-Team': 'a', 'x-team': 'b' } }))
  assert.match(JSON.stringify(result.error?.issues), /twice/)
})

test('contract §6: references to what the form does not have are found', () => {
  const definition = webhookDefinition.parse(
    aDefinition({
      payload_template: { a: '{{email}} {{phone}}', b: '{{meta.form_slug}}', c: '{{meta.nothing}}' },
      fire_on: { any: [{ email: 'x' }, { field: 'role', op: 'empty' }, { 'meta.form_slug': 'quote' }] },
    }),
  )
  const problems = checkWebhookReferences(definition, [{ name: 'email', hasOptions: false }])
  assert.deepEqual(
    problems.map(({ part, message }) => [part, message.split(', ')[0]]),
    [
      ['payload_template', 'unknown reference "phone"'],
      ['payload_template', 'unknown reference "meta.nothing"'],
      ['fire_on', 'unknown reference "role"'],
    ],
  )
  assert.deepEqual(checkWebhookReferences(webhookDefinition.parse(aDefinition()), []), [])
})
