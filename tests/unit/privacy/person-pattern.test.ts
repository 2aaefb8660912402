import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, readPerson } from '#src/privacy/person.ts'
import { createPersonPattern, type Probe } from '#src/privacy/person-pattern.ts'

function patternOf(asked: { email?: string; phone?: string; text?: string }) {
  const person = readPerson(asked, 'IE')
  assert.ok(typeof person === 'object', String(person))
  return createPersonPattern(person)
}

const EMAIL = 'ann.lee+home@example.com'

const OF_EMAIL: readonly [text: string, isIn: boolean][] = [
  ['Ann.Lee+Home@Example.com', true],
  ['Write to ann.lee+home@example.com.', true],
  ['/quote?email=ann.lee%2Bhome%40example.com&x=1', true],
  [String.raw`{"email":"ann.lee\u002bhome\u0040example.com"}`, true],
  [String.raw`{"text":"Mail:\nann.lee+home@example.com`, true],
  ['ann.lee+home@example.com.pdf', true],
  ['mary.ann.lee+home@example.com', false],
  ['ann.lee+home@example.com.au', false],
  ['annxlee+home@example.com', false],
]

for (const [text, isIn] of OF_EMAIL)
  test(`an email address is ${isIn ? '' : 'not '}in ${text}`, () => {
    const pattern = patternOf({ email: EMAIL })
    assert.equal(pattern.isIn(text), isIn)
    assert.equal(pattern.redact(text) === text, !isIn)
  })

const OF_PHONE: readonly [text: string, isIn: boolean][] = [
  ['087 123 4567', true],
  ['+353 87 123 4567', true],
  ['00353871234567', true],
  ['+353 (0)87 123-4567', true],
  ['353871234567', true],
  ['?tel=%2B353%2087%201234567', true],
  ['0871234568', false],
  ['10871234567', false],
  ['08712345678', false],
]

for (const [text, isIn] of OF_PHONE)
  test(`a phone number is ${isIn ? '' : 'not '}in ${text}`, () => {
    assert.equal(patternOf({ phone: '+353 87 123 4567' }).isIn(text), isIn)
  })

test('a text is found regardless of case, spacing, and accent encoding', () => {
  const pattern = patternOf({ text: 'Aoife Ní Bhriain' })
  assert.ok(pattern.isIn('aoife  NÍ\nbhriain'))
  assert.ok(pattern.isIn('Aoife Ní Bhriain'.normalize('NFD')))
  assert.ok(!pattern.isIn('Aoife Ní Bhriaint'))
})

const NAME = 'Aoife Ní Bhriain'
const DECOMPOSED = NAME.normalize('NFD')

for (const [encoding, asked] of [
  ['composed', NAME],
  ['decomposed', DECOMPOSED],
  ['uppercase', NAME.toUpperCase()],
] as const)
  for (const text of [
    `/quote?name=${encodeURIComponent(NAME)}&x=1`,
    `/quote?name=${encodeURIComponent(DECOMPOSED)}`,
    `/quote?name=${encodeURIComponent(NAME.toUpperCase()).toLowerCase()}`,
    `/quote?${new URLSearchParams({ note: `for ${NAME}`, name: NAME })}`,
    String.raw`{"name":"Aoife N\u00ed Bhriain"}`,
  ])
    test(`a ${encoding} name is in ${text}`, () => {
      const pattern = patternOf({ text: asked })
      assert.ok(pattern.isIn(text))
      assert.doesNotMatch(pattern.redact(text), /aoife|bhriain/i)
      const [probe] = pattern.probes
      assert.ok(probe?.kind === 'word' && text.toLowerCase().includes(probe.word))
    })

test('JSON strings are replaced by value, and JSON without the person keeps its bytes', () => {
  const pattern = patternOf({ email: EMAIL, phone: '0871234567' })
  const body = String.raw`{ "to": ["ann.lee\u002bhome\u0040example.com"], "phone": 871234567, "n": 5 }`
  assert.deepEqual(JSON.parse(pattern.redactJson(body)), { to: ['[erased]'], phone: '[erased]', n: 5 })
  assert.equal(pattern.redactJson('{ "n": 5 }'), '{ "n": 5 }')
  assert.equal(pattern.redactJson(`cut: {"to":"${EMAIL}`), 'cut: {"to":"[erased]')
})

for (const [name, more] of [
  ['a boolean', { yes: true, list: [false] }],
  ['null', { none: null }],
] as const)
  test(`${name} in JSON stays`, () => {
    // Escaped, so that only the parsed value names the person.
    const body = JSON.stringify({ to: EMAIL, ...more })
      .replace('@', String.raw`\u0040`)
      .replace('ann', String.raw`\u0061nn`)
    const redacted = patternOf({ email: EMAIL }).redactJson(body)
    assert.deepEqual(JSON.parse(redacted), { to: '[erased]', ...more })
  })

const PROBES: readonly [asked: Parameters<typeof patternOf>[0], ...probes: Probe[]][] = [
  [{ email: 'j.krzyzewski@example.com' }, { kind: 'word', word: 'krzyzewski' }],
  [{ text: 'Jo Krzyzewski Sr' }, { kind: 'word', word: 'krzyzewski' }],
  [{ phone: '087 123 4567' }, { kind: 'digits', digits: '234567' }],
  [{ text: '王小明' }, { kind: 'any' }],
  [
    { email: 'ann@example.com', phone: '087 123 4567', text: 'Ann Lee' },
    ...[{ kind: 'word', word: 'ann' } as const, { kind: 'digits', digits: '234567' } as const],
    { kind: 'word', word: 'ann' },
  ],
]

for (const [asked, ...probes] of PROBES)
  test(`the database is asked for ${JSON.stringify(probes)} first`, () => {
    assert.deepEqual(patternOf(asked).probes, probes)
  })

test('an answer identifies the person if it contains little else', () => {
  const pattern = patternOf({ email: EMAIL })
  assert.ok(pattern.isAnswer(`Ann Lee <${EMAIL}>`))
  assert.ok(!pattern.isAnswer(`${EMAIL} recommended you, so I would like a price for a new boiler.`))
})

test('the search input for a person is validated', () => {
  assert.equal(readPerson({}, 'US'), 'nothing')
  assert.equal(readPerson({ email: 'ann' }, 'US'), 'email')
  assert.equal(readPerson({ phone: '12-34' }, 'US'), 'phone')
  assert.equal(readPerson({ text: 'ab' }, 'US'), 'text')
  const { phone } = readPerson({ phone: '(512) 555-0142' }, 'US') as Person
  assert.equal(phone?.digits, '5125550142')
  const extension = readPerson({ phone: 'ext. 00-123456' }, 'US') as Person
  assert.deepEqual(extension.phone, { shown: 'ext. 00-123456', countryCode: '', digits: '123456' })
  assert.equal(readPerson({ phone: '0012345' }, 'US'), 'phone')
})
