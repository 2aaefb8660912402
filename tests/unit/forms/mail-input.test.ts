import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formDefinitionSchema } from '#src/forms/form-definition.ts'
import {
  type MailEntry,
  type MailInput,
  mailsVersionOf,
  putMailEntry,
  putReply,
  readMailInput,
  readReplyInput,
  toMailInput,
} from '#src/forms/mails/mail-input.ts'
import { aForm, aFormFile } from '../../support/forms.ts'

const FIELDS = [
  { name: 'email', type: 'email', hasOptions: false },
  { name: 'size', type: 'text', hasOptions: false },
]
const BLANK: MailInput = { to: '', subject: '', text: '', match: 'always', rules: [], fire_on: '' }
const TYPED: MailInput = { ...BLANK, to: 'a@example.com' }
const TO = ['a@example.com']
const BY_SIZE = { all: [{ field: 'size', op: 'eq', value: 'Large' }] } as const
const NESTED = { not: { field: 'size', op: 'eq', value: 'Large' } } as const
const ROW = { field: 'size', op: 'eq', value: 'Large' }

const SHOWN: [what: string, entry: MailEntry | undefined, input: MailInput][] = [
  ['a new entry', undefined, BLANK],
  [
    'recipients alone',
    { to: ['a@example.com', 'b@example.com'] },
    { ...BLANK, to: 'a@example.com\nb@example.com' },
  ],
  ['texts', { to: TO, subject: 'New', text: 'Hello' }, { ...TYPED, subject: 'New', text: 'Hello' }],
  ['empty texts', { to: TO, subject: null, text: null, when: null }, TYPED],
  ['a fallback', { to: TO, fallback: true }, { ...TYPED, match: 'fallback' }],
  [
    'conditions that rows can hold',
    { to: TO, when: BY_SIZE },
    { ...TYPED, match: 'all', rules: [ROW], fire_on: JSON.stringify(BY_SIZE, null, 2) },
  ],
  [
    'conditions that rows can’t hold',
    { to: TO, when: NESTED },
    { ...TYPED, match: 'json', fire_on: JSON.stringify(NESTED, null, 2) },
  ],
]

for (const [what, entry, input] of SHOWN)
  test(`the form of an email shows ${what} and reads them back`, () => {
    assert.deepEqual(toMailInput(entry, FIELDS), input)
    if (!entry) return
    const filled = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null))
    assert.deepEqual(readMailInput(input, FIELDS), { kind: 'valid', value: filled })
  })

const READ: [what: string, input: Partial<MailInput>, entry: object][] = [
  [
    'separators and spaces between recipients',
    { to: ' a@example.com,b@example.com; c@example.com \n\n' },
    {
      to: ['a@example.com', 'b@example.com', 'c@example.com'],
    },
  ],
  [
    'spaces around a subject and only in a text',
    { subject: ' New ', text: ' \n' },
    { to: TO, subject: 'New' },
  ],
  ['spaces around a text', { text: ' Hello\n' }, { to: TO, text: ' Hello\n' }],
  ['rows without a field', { match: 'any', rules: [{ ...ROW, field: '' }] }, { to: TO }],
  ['conditions of another choice', { match: 'always', rules: [ROW], fire_on: '{' }, { to: TO }],
  ['blank JSON', { match: 'json', fire_on: ' \n' }, { to: TO }],
]

for (const [what, input, value] of READ)
  test(`the form of an email reads ${what}`, () => {
    assert.deepEqual(readMailInput({ ...TYPED, ...input }, FIELDS), { kind: 'valid', value })
  })

const tooLong = (length: number) =>
  JSON.stringify({ size: 'x'.repeat(length - JSON.stringify({ size: '' }).length) })

const REFUSED: [input: Partial<MailInput>, problem: [path: string, code: string]][] = [
  [{ to: '' }, ['to', 'first_address']],
  [{ to: 'nobody' }, ['to', 'recipient_invalid']],
  [{ subject: 'two\nlines' }, ['subject', 'one_line']],
  [{ subject: '{{answers.color}}' }, ['subject', 'unknown_field']],
  [{ text: '{{answers.color}}' }, ['text', 'unknown_field']],
  [{ match: 'json', fire_on: '{' }, ['fire_on', 'not_json']],
  [{ match: 'json', fire_on: '{"color":"red"}' }, ['fire_on', 'unknown_field']],
  [{ match: 'json', fire_on: tooLong(100_001) }, ['fire_on', 'max_json']],
  [{ match: 'all', rules: [{ ...ROW, field: 'color' }] }, ['rules', 'unknown_field']],
]

for (const [input, problem] of REFUSED)
  test(`the form of an email refuses ${JSON.stringify(input).slice(0, 70)} with ${problem.join(': ')}`, () => {
    const read = readMailInput({ ...TYPED, ...input }, FIELDS)
    assert.ok(read.kind === 'invalid', JSON.stringify(read))
    assert.deepEqual(
      read.problems.map(({ path, code }) => [path.join('.'), code]),
      [problem],
    )
  })

test('an email’s conditions may have 100,000 characters of JSON', () => {
  const read = readMailInput({ ...TYPED, match: 'json', fire_on: tooLong(100_000) }, FIELDS)
  assert.equal(read.kind, 'valid')
})

test('a fallback has no conditions', () => {
  const notifications = [{ to: TO, fallback: true, when: BY_SIZE }]
  const parsed = formDefinitionSchema.safeParse(aFormFile({ settings: { notifications } }))
  assert.deepEqual(
    parsed.error?.issues.map(({ path }) => path),
    [['settings', 'notifications', 0, 'when']],
  )
})

test('a reply is read from its form', () => {
  const typed = { enabled: true, subject: ' Thanks ', text: ' Hello\n', reply_to: ' ' }
  const written = { subject: 'Thanks', text: ' Hello\n' }
  assert.deepEqual(readReplyInput({ ...typed, enabled: false }, FIELDS), { kind: 'valid', value: null })
  assert.deepEqual(readReplyInput(typed, FIELDS), { kind: 'valid', value: written })
  assert.deepEqual(readReplyInput({ ...typed, reply_to: ' a@example.com ' }, FIELDS), {
    kind: 'valid',
    value: { ...written, reply_to: 'a@example.com' },
  })
  for (const [input, path, code] of [
    [{ subject: ' ' }, 'subject', 'filled_text'],
    [{ text: '' }, 'text', 'filled_text'],
    [{ reply_to: 'nobody' }, 'reply_to', 'email_address'],
    [{ text: '{{answers.color}}' }, 'text', 'unknown_field'],
  ] as const) {
    const read = readReplyInput({ ...typed, ...input }, FIELDS)
    const problems = read.kind === 'invalid' ? read.problems.map((one) => [one.path.join('.'), one.code]) : []
    assert.deepEqual(problems, [[path, code]])
  }
})

test('an email is appended, replaced, or removed', () => {
  const [one, two, three] = ['1', '2', '3'].map((name) => ({ to: [`${name}@example.com`] }))
  assert.ok(one && two && three)
  const reply = { subject: 'Thanks', text: 'Hello' }
  const settings = { honeypot: 'website', notifications: [one, two], reply }
  const definition = formDefinitionSchema.parse(aFormFile({ settings }))
  const changed = (put: ReturnType<typeof putMailEntry>) => put(definition).settings
  assert.deepEqual(changed(putMailEntry(three)), { ...settings, notifications: [one, two, three] })
  assert.deepEqual(changed(putMailEntry(three, 0)), { ...settings, notifications: [three, two] })
  assert.deepEqual(changed(putMailEntry(undefined, 1)), { ...settings, notifications: [one] })
  const bare = formDefinitionSchema.parse(aFormFile())
  assert.deepEqual(putMailEntry(one)(bare), { ...bare, settings: { notifications: [one] } })
  assert.deepEqual(putReply(reply)(bare), { ...bare, settings: { reply } })
  const { reply: _, ...others } = settings
  assert.deepEqual(changed(putReply(null)), others)
})

test('the version of emails changes with an email or the reply, and with nothing else', () => {
  const version = (settings: object) => mailsVersionOf(aForm({ settings }))
  const versions = [{}, { notifications: [{ to: TO }] }, { reply: { subject: 'S', text: 'T' } }].map(version)
  assert.equal(new Set(versions).size, 3)
  assert.equal(version({ honeypot: 'website', notifications: [], reply: null }), versions[0])
})
