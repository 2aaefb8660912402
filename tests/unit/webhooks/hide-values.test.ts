// biome-ignore-all lint/suspicious/noTemplateCurlyInString: webhooks name values of the environment like this
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concealedTexts, hideValues } from '#src/webhooks/secrets/hide-values.ts'

const SECRET = 'tök/en "12" + <x>'

/** What is kept of an answer to a webhook with that secret. */
function kept(responseBody: string, secret = SECRET): string | null {
  const concealed = concealedTexts({ values: new Map(), sealed: [secret], signing: [] })
  const answer = { responseBody, responseHeaders: null, startedAt: new Date(0), durationMs: 1 }
  return hideValues({ kind: 'delivered', status: 200, ...answer }, concealed).responseBody
}

const SPELLINGS: [name: string, spelling: string][] = [
  ['as it is', SECRET],
  ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
  ['in JSON of PHP', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
  ['in an address', encodeURI(SECRET)],
  ['in a parameter', encodeURIComponent(SECRET)],
  ['in a posted form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
  ['in a parameter of PHP', encodeURIComponent(SECRET).replace(/%../g, (byte) => byte.toLowerCase())],
]

for (const [name, spelling] of SPELLINGS) {
  test(`reliability: a secret echoed by a receiver ${name} is not stored`, () => {
    assert.equal(kept(`got ${spelling}, thanks`), 'got ••••, thanks')
  })
}

test('reliability: a secret within base64 is not stored, at any offset', () => {
  for (const before of ['', 'a', 'ab', 'abc', '{"token":"']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${before}${SECRET} and more`).toString(encoding)
      const left = kept(`${encoded}!`)?.split('••••') ?? []
      assert.equal(left.length, 2, encoded)
      assert.ok(!Buffer.from(left.join(''), encoding).includes(SECRET.slice(2, 6)), left.join(''))
    }
  }
})

test('reliability: a truncated secret at the end of a stored response is not stored', () => {
  const long = 'x'.repeat(4_000)
  for (const [name, spelling] of SPELLINGS)
    for (let length = 4; length < spelling.length; length += 1)
      assert.equal(kept(long + spelling.slice(0, length)), `${long}••••`, `${name}, ${length}`)
  assert.equal(kept(`${long}tök/ and on`), `${long}tök/ and on`)
  assert.equal(kept('a whole answer: tök/'), 'a whole answer: tök/')
})

test('only attempts with a secret in one of their texts are changed', () => {
  const concealed = concealedTexts({ values: new Map([['TOKEN', 'tk_1234567890']]), sealed: [], signing: [] })
  const attempt = { kind: 'failed', failureKind: 'status', message: 'HTTP 500', status: 500 } as const
  const details = {
    startedAt: new Date(0),
    durationMs: 1,
    responseBody: 'no',
    responseHeaders: { date: 'today' },
  }
  const clean = { ...attempt, ...details }
  assert.equal(hideValues(clean, concealed), clean)
  const hidden = (change: object) => hideValues({ ...clean, ...change }, concealed)
  const [said, shown] = ['tk_1234567890 tk_1234567890', `\${TOKEN} \${TOKEN}`]
  assert.deepEqual(hidden({ message: said }), { ...clean, message: shown })
  assert.deepEqual(hidden({ responseBody: said }), { ...clean, responseBody: shown })
  assert.deepEqual(hidden({ responseHeaders: { echo: said } }), {
    ...clean,
    responseHeaders: { echo: shown },
  })
})

test('the longer of two secrets is hidden first, and each only where it occurs', () => {
  const values = new Map([
    ['HALF', 'abcd1234'],
    ['WHOLE', 'abcd1234efgh'],
    ['TINY', 'no'],
  ])
  const concealed = concealedTexts({
    values,
    sealed: ['  Bearer tok_12345678 ', 'Key ${HALF}'],
    signing: ['whsec_c2VjcmV0LWtleQ'],
  })
  const hide = (responseBody: string) =>
    hideValues(
      {
        ...{ kind: 'delivered', status: 200, responseBody, responseHeaders: null },
        ...{ startedAt: new Date(0), durationMs: 1 },
      },
      concealed,
    ).responseBody
  assert.equal(hide('abcd1234efgh abcd1234 no'), '${WHOLE} ${HALF} no')
  assert.equal(hide('Bearer tok_12345678, tok_12345678'), '••••, ••••')
  assert.equal(hide('c2VjcmV0LWtleQ whsec_c2VjcmV0LWtleQ'), '•••• ••••')
  assert.equal(hide('Key abcd1234'), '••••')
})

test('a value removed from the environment leaves its variable to hide', () => {
  const concealed = concealedTexts({ values: new Map(), sealed: ['Token ${GONE} and more'], signing: [] })
  assert.ok(concealed.some(([spelling]) => spelling === 'Token ${GONE} and more'))
})

test('a secret without escapable characters has few encodings, and an empty one has none', () => {
  const concealed = concealedTexts({ values: new Map(), sealed: ['sk_live_1234567890'], signing: [] })
  assert.equal(concealed.length, 4)
})

test('a secret is hidden from 4 characters, and the part after its scheme from 8', () => {
  const hidden = (sealed: string) =>
    concealedTexts({ values: new Map(), sealed: [sealed], signing: [] }).map(([spelling]) => spelling)
  assert.deepEqual([hidden('abc'), hidden('abcd').includes('abcd')], [[], true])
  const token = (text: string) => hidden(`Bearer ${text}`).includes(text)
  assert.deepEqual([token('1234567'), token('12345678')], [false, true])
})

test('a secret of eight characters is hidden in any spelling, a shorter one as it is', () => {
  const encoded = (secret: string) => Buffer.from(secret).toString('base64')
  assert.equal(kept('12%2045/8', '12 45/8'), '12%2045/8')
  assert.equal(kept('12 45/8', '12 45/8'), '••••')
  assert.equal(kept('12%2045%2F78', '12 45/78'), '••••')
  assert.notEqual(kept(encoded('12 45/78'), '12 45/78'), encoded('12 45/78'))
})
