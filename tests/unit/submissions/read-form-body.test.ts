import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readFormBody } from '#src/submissions/intake/read-form-body.ts'

const URLENCODED = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

function read(text: string | Uint8Array, contentType: string | undefined = URLENCODED) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const result = readFormBody(bytes, contentType)
  return result.kind === 'body' ? { ...result.body } : result
}

function reasonOf(text: string | Uint8Array, contentType: string) {
  const result = readFormBody(typeof text === 'string' ? new TextEncoder().encode(text) : text, contentType)
  return result.kind === 'unreadable' ? result.reason : result
}

const URLENCODED_BODIES: [text: string, body: Record<string, unknown>][] = [
  ['', {}],
  ['a=1&b=two+words&c=%C3%A9', { a: '1', b: 'two words', c: 'é' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a&b=&=c&&', { a: '', b: '', '': 'c' }],
  ['a=x=y', { a: 'x=y' }],
  ['a=100%&b=%zz', { a: '100%', b: '%zz' }],
  ['a=é', { a: 'é' }],
  ['a=%2B+%26', { a: '+ &' }],
  ['__proto__=x&constructor=y&a=1', { constructor: 'y', a: '1' }],
  ['a=line%0D%0Aline', { a: 'line\r\nline' }],
]

for (const [text, body] of URLENCODED_BODIES) {
  test(`contract §5 urlencoded ${JSON.stringify(text)} is ${JSON.stringify(body)}`, () => {
    assert.deepEqual(read(text), body)
  })
}

test('contract §5 JSON is a flat object', () => {
  const body = { a: 'x', b: 1.5, c: true, d: ['p', 'q'], e: null, f: [] }
  assert.deepEqual(read(JSON.stringify(body), JSON_TYPE), body)
})

test('contract §5 JSON can’t be nested', () => {
  for (const value of [{ b: 1 }, [1], [['x']], [null], [{}]]) {
    const reason = { code: 'value_of_other_type', params: { name: 'a' } }
    assert.deepEqual(reasonOf(JSON.stringify({ a: value }), JSON_TYPE), reason)
  }
  for (const text of ['', '[]', '"x"', 'null', '{', '['.repeat(60_000)]) {
    assert.deepEqual(reasonOf(text, JSON_TYPE), { code: 'not_a_json_object' })
  }
})

test('the body has no prototype to pollute', () => {
  const result = readFormBody(new TextEncoder().encode('{"__proto__":"x","a":"1"}'), JSON_TYPE)
  assert.equal(result.kind, 'body')
  assert.equal(result.kind === 'body' && Object.getPrototypeOf(result.body), null)
  assert.deepEqual(result.kind === 'body' && Object.keys(result.body), ['a'])
  assert.equal(Object.hasOwn(Object.prototype, 'a'), false)
})

test('contract §5 the media type decides, regardless of parameters and case', () => {
  assert.deepEqual(read('a=1', `${URLENCODED}; charset=UTF-8`), { a: '1' })
  assert.deepEqual(read('{"a":"1"}', 'Application/JSON;charset="utf-8"'), { a: '1' })
  assert.deepEqual(read('a=1', ` ${URLENCODED} ;  charset=utf8 `), { a: '1' })
  assert.deepEqual(read('{"a":"1"}', ' application/json ; x-charset=latin1'), { a: '1' })
  for (const type of [
    'text/plain',
    'multipart/form-data; boundary=x',
    '',
    'application/json5',
    'application/',
  ]) {
    assert.deepEqual(read('a=1', type), { kind: 'unsupported_type' }, type)
  }
  assert.deepEqual(readFormBody(new Uint8Array(), undefined), { kind: 'unsupported_type' })
  assert.deepEqual(read('a=1', `${URLENCODED}; charset=iso-8859-1`), { kind: 'unsupported_type' })
})

test('contract §5 text that isn’t UTF-8 is refused', () => {
  const reason = { code: 'not_utf8' }
  assert.deepEqual(reasonOf(Uint8Array.of(0x61, 0x3d, 0xff), URLENCODED), reason)
  assert.deepEqual(reasonOf(Uint8Array.of(0x22, 0xc3, 0x22), JSON_TYPE), reason)
  assert.deepEqual(reasonOf('a=%FF', URLENCODED), reason)
  assert.deepEqual(reasonOf('%C3=a', URLENCODED), reason)
})

test('at most 500 values are read', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, index) => `n${index}=1`).join('&')
  assert.equal(Object.keys(read(pairs(500))).length, 500)
  assert.deepEqual(reasonOf(pairs(501), URLENCODED), { kind: 'too_many_values' })
  const names = (value: unknown) =>
    Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`n${index}`, value]))
  assert.equal(Object.keys(read(JSON.stringify({ a: Array(499).fill('1'), b: '1' }), JSON_TYPE)).length, 2)
  for (const object of [names('1'), names([]), { a: '1', b: Array(500).fill('1') }])
    assert.deepEqual(reasonOf(JSON.stringify(object), JSON_TYPE), { kind: 'too_many_values' })
})

test('contract §5 a browser’s encoding is decoded', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.string()), {
    selector: ([name]) => name,
    maxLength: 20,
  })
  fc.assert(
    fc.property(pairs, (entries) => {
      const sent = entries.filter(([name]) => name !== '__proto__')
      assert.deepEqual(read(new URLSearchParams(sent).toString()), Object.fromEntries(sent))
    }),
  )
})

test('no bytes make the reader throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(URLENCODED, JSON_TYPE), (bytes, type) => {
      assert.ok(['body', 'unreadable'].includes(readFormBody(bytes, type).kind))
    }),
    { numRuns: 2_000 },
  )
})
