import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concealedTexts, hideValues } from '../../../src/webhooks/hide-values.ts'

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
  test(`reliability: a secret that a receiver sends back ${name} is not kept`, () => {
    assert.equal(kept(`got ${spelling}, thanks`), 'got ••••, thanks')
  })
}

test('reliability: a secret within base64 is not kept, wherever it stands', () => {
  for (const before of ['', 'a', 'ab', 'abc', '{"token":"']) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(`${before}${SECRET} and more`).toString(encoding)
      const left = kept(`${encoded}!`)?.split('••••') ?? []
      assert.equal(left.length, 2, encoded)
      assert.ok(!Buffer.from(left.join(''), encoding).includes(SECRET.slice(2, 6)), left.join(''))
    }
  }
})

test('reliability: the beginning of a secret at the end of what is kept of an answer is not kept', () => {
  const long = 'x'.repeat(4_000)
  for (const [name, spelling] of SPELLINGS)
    for (let length = 4; length < spelling.length; length += 1)
      assert.equal(kept(long + spelling.slice(0, length)), `${long}••••`, `${name}, ${length}`)
  assert.equal(kept(`${long}tök/ and on`), `${long}tök/ and on`)
  assert.equal(kept('a whole answer: tök/'), 'a whole answer: tök/')
})

test('a secret without characters to escape takes few spellings, and no secret takes none', () => {
  const concealed = concealedTexts({ values: new Map(), sealed: ['sk_live_1234567890'], signing: [] })
  assert.equal(concealed.length, 4)
  assert.deepEqual(concealedTexts({ values: new Map(), sealed: ['abc'], signing: [] }), [])
})
