import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAnswers } from '#src/forms/check-answers.ts'
import { FIELD_TYPE_NAMES } from '#src/forms/field-types/field-types.ts'
import type { FormField } from '#src/forms/form.ts'
import { type AnswerProblem, describeAnswer } from '#src/messages/visitor/answers.ts'
import { aField } from '../../support/forms.ts'

const SIZES = [
  { label: 'Small', value: 's' },
  { label: 'Large', value: 'l' },
]

const refusal = (problem: AnswerProblem) => ({ problem: describeAnswer(problem) })

/** The stored answer to one field, or what is wrong as `{ problem }`. */
function answerTo(field: Partial<FormField>, sent?: unknown) {
  const checked = checkAnswers([aField(field)], sent === undefined ? {} : { answer: sent })
  return checked.kind === 'valid' ? checked.answers.answer : { problem: checked.errors.answer?.join() }
}

const EMAIL_PROBLEM: AnswerProblem = { code: 'not_an_email' }
const PHONE_PROBLEM: AnswerProblem = {
  code: 'not_a_phone_number',
  params: { example: '+1 201 555 0123' },
}
const URL_PROBLEM: AnswerProblem = { code: 'not_a_web_address' }
const NUMBER_PROBLEM: AnswerProblem = { code: 'not_a_number' }
const DATE_PROBLEM: AnswerProblem = { code: 'not_a_date' }

const ACCEPTED: [type: FormField['type'], sent: unknown, stored: unknown, field?: Partial<FormField>][] = [
  ['text', '  Ada Lovelace ', 'Ada Lovelace'],
  ['text', 'two\r\nlines\tand a tab', 'two lines and a tab'],
  ['text', 'bell\u0007 escape\u001b[0m', 'bell escape[0m'],
  ['text', 'Cafe\u0301', 'Caf\u00e9'],
  ['text', `e${'\u0301\u0316'.repeat(20)}!`, `e${'\u0301\u0316'.repeat(15)}!`.normalize('NFC')],
  ['text', 42, '42'],
  ['text', true, 'true'],
  ['text', ['only one'], 'only one'],
  ['text', '👩‍🚀👩‍🚀', '👩‍🚀👩‍🚀', { validation: { max_length: 6 } }],
  ['textarea', ' a\r\nb\rc\n\nd ', 'a\nb\nc\n\nd'],
  ['email', ' Ada@Example.com ', 'Ada@Example.com'],
  ['email', "o'brien+tag@mail.example.co.uk", "o'brien+tag@mail.example.co.uk"],
  ['phone', '+44 (0)20 7946-0958', '+44 (0)20 7946-0958'],
  ['phone', '(512) 555-0100 ext. 12', '(512) 555-0100 ext. 12'],
  ['phone', '512.555.0100 x7', '512.555.0100 x7'],
  ['phone', '00 49 30/901820', '00 49 30/901820'],
  ['phone', '(+351) 21 000 0000', '(+351) 21 000 0000'],
  ['phone', '٠١٢٣٤٥٦٧٨٩', '٠١٢٣٤٥٦٧٨٩'],
  ['phone', 5125550100, '5125550100'],
  ['email', `${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
  ['phone', '12345', '12345'],
  ['phone', '1'.repeat(18), '1'.repeat(18)],
  ['phone', `${'.'.repeat(90)}5125550100`, `${'.'.repeat(90)}5125550100`],
  ['url', 'https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
  ['url', 'HTTP://EXAMPLE.com', 'HTTP://EXAMPLE.com'],
  ['url', 'https://bücher.example', 'https://bücher.example'],
  ['number', ' 3.50 ', 3.5],
  ['number', '-1e3', -1000],
  ['number', '.5', 0.5],
  ['number', 7, 7],
  ['number', '-0', 0],
  ['number', '9007199254740991', 9_007_199_254_740_991],
  ['number', '10', 10, { validation: { min: 10, max: 10 } }],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '2026-11-20', '2026-11-20', { validation: { min: '2026-11-20', max: '2026-11-20' } }],
  ['text', 'abc', 'abc', { validation: { min_length: 3, max_length: 3 } }],
  ['textarea', 'a\tb\u0007\r\nc', 'a b\nc'],
  ['text', 'a\tb\u0007\r\nc', 'a b c'],
  ['hidden', '  as it\u0007 came ', '  as it\u0007 came '],
  ['hidden', 'x'.repeat(2_000), 'x'.repeat(2_000)],
  ['select', 's', 's', { options: SIZES }],
  ['radio', ' l ', 'l', { options: SIZES }],
  ['checkbox', ['l', 's', 'l'], ['l', 's'], { options: SIZES }],
  ['checkbox', ['s', ''], ['s'], { options: SIZES, required: true }],
  ['checkbox', 'on', true, { required: true }],
  ['number', 0, 0, { required: true }],
  ['checkbox', 'on', true],
  ['checkbox', true, true],
  ['checkbox', 1, true],
  ['checkbox', 'false', false],
]

for (const [type, sent, stored, field] of ACCEPTED) {
  test(`contract §5 ${type} stores ${JSON.stringify(sent).slice(0, 60)} as ${JSON.stringify(stored).slice(0, 60)}`, () => {
    assert.deepEqual(answerTo({ type, ...field }, sent), stored)
  })
}

const REFUSED: [
  type: FormField['type'],
  sent: unknown,
  problem: AnswerProblem,
  field?: Partial<FormField>,
][] = [
  ['text', 'abc', { code: 'too_long', params: { max: 2 } }, { validation: { max_length: 2 } }],
  ['text', 'ab', { code: 'too_long', params: { max: 1 } }, { validation: { max_length: 1 } }],
  ['text', 'ab', { code: 'too_short', params: { min: 3 } }, { validation: { min_length: 3 } }],
  ['text', '👩‍🚀👩‍🚀', { code: 'too_long', params: { max: 5 } }, { validation: { max_length: 5 } }],
  ['text', ['a', 'b'], { code: 'several_answers' }],
  ['text', 'abc1', { code: 'pattern_mismatch' }, { validation: { pattern: '[a-z]+' } }],
  ['textarea', 'a\nb', { code: 'too_long', params: { max: 2 } }, { validation: { max_length: 2 } }],
  ['email', 'ada', EMAIL_PROBLEM],
  ['email', 'ada@', EMAIL_PROBLEM],
  ['email', 'a b@example.com', EMAIL_PROBLEM],
  ['email', 'ada@example..com', EMAIL_PROBLEM],
  ['email', 'Ada <ada@example.com>', EMAIL_PROBLEM],
  ['email', `${'a'.repeat(243)}@example.com`, EMAIL_PROBLEM],
  ['phone', '1'.repeat(19), PHONE_PROBLEM],
  ['phone', `${'.'.repeat(91)}5125550100`, PHONE_PROBLEM],
  ['phone', 'call me', PHONE_PROBLEM],
  ['phone', '1234', PHONE_PROBLEM],
  ['phone', '+1 512 555 0100 512 555 0100', PHONE_PROBLEM],
  ['phone', '512+5550100', PHONE_PROBLEM],
  ['phone', '512-555-HELP', PHONE_PROBLEM],
  ['url', 'example.com', URL_PROBLEM],
  ['url', 'http:example.com', URL_PROBLEM],
  ['url', 'https://', URL_PROBLEM],
  ['url', 'https://exa mple.com', URL_PROBLEM],
  ['url', 'javascript:alert(1)', URL_PROBLEM],
  ['url', 'ftp://example.com', URL_PROBLEM],
  ['number', '1,5', NUMBER_PROBLEM],
  ['number', '0x1F', NUMBER_PROBLEM],
  ['number', 'Infinity', NUMBER_PROBLEM],
  ['number', '1e999', NUMBER_PROBLEM],
  // The next one reads 9007199254740992.
  ['number', '9007199254740993', { code: 'too_many_digits', params: { max: 15 } }],
  ['number', '-1e16', { code: 'too_many_digits', params: { max: 15 } }],
  ['number', true, NUMBER_PROBLEM],
  ['number', '9', { code: 'too_small', params: { min: 10 } }, { validation: { min: 10 } }],
  ['number', '11', { code: 'too_large', params: { max: 10 } }, { validation: { max: 10 } }],
  ['date', '2026-02-29', DATE_PROBLEM],
  ['date', '2026-13-01', DATE_PROBLEM],
  ['date', '0000-01-01', DATE_PROBLEM],
  ['date', '20.11.2026', DATE_PROBLEM],
  ['date', '2026-11-20T10:00', DATE_PROBLEM],
  [
    'date',
    '2026-11-19',
    { code: 'too_early', params: { min: '2026-11-20' } },
    { validation: { min: '2026-11-20' } },
  ],
  [
    'date',
    '2026-11-21',
    { code: 'too_late', params: { max: '2026-11-20' } },
    { validation: { max: '2026-11-20' } },
  ],
  ['hidden', 'x'.repeat(2_001), { code: 'too_long', params: { max: 2_000 } }],
  ['select', 'Small', { code: 'choice_missing' }, { options: SIZES }],
  ['select', ['s', 'l'], { code: 'several_answers' }, { options: SIZES }],
  ['radio', 'xl', { code: 'choice_missing' }, { options: SIZES }],
  ['checkbox', ['s', 'xl'], { code: 'not_offered' }, { options: SIZES }],
  ['checkbox', ['on', 'on'], { code: 'several_answers' }],
  ['number', 1e19, { code: 'too_many_digits', params: { max: 15 } }],
  ['checkbox', 'maybe', { code: 'neither_ticked_nor_empty' }],
]

for (const [type, sent, problem, field] of REFUSED) {
  test(`contract §5 ${type} refuses ${JSON.stringify(sent).slice(0, 60)}: ${problem.code}`, () => {
    assert.deepEqual(answerTo({ type, ...field }, sent), refusal(problem))
  })
}

const EMPTY: [
  type: FormField['type'],
  stored: unknown,
  requiredProblem: AnswerProblem,
  field?: Partial<FormField>,
][] = [
  ['text', null, { code: 'missing' }],
  ['textarea', null, { code: 'missing' }],
  ['email', null, { code: 'missing' }],
  ['phone', null, { code: 'missing' }],
  ['url', null, { code: 'missing' }],
  ['hidden', null, { code: 'missing' }],
  ['number', null, { code: 'number_missing' }],
  ['date', null, { code: 'date_missing' }],
  ['select', null, { code: 'choice_missing' }, { options: SIZES }],
  ['radio', null, { code: 'choice_missing' }, { options: SIZES }],
  ['checkbox', [], { code: 'choices_missing' }, { options: SIZES }],
  ['checkbox', false, { code: 'tick_missing' }],
  ['file', null, { code: 'file_missing' }],
]

for (const [type, stored, problem, field] of EMPTY) {
  test(`contract §5 an empty ${type}${field ? ' with options' : ''} is stored as ${JSON.stringify(stored)}, and refused when required`, () => {
    for (const sent of [undefined, '', null, []]) {
      assert.deepEqual(answerTo({ type, ...field }, sent), stored)
      assert.deepEqual(answerTo({ type, required: true, ...field }, sent), refusal(problem))
    }
  })
}

test('contract §5 spaces alone are an empty answer', () => {
  assert.deepEqual(answerTo({ required: true }, ' \t\r\n\u0007 '), refusal({ code: 'missing' }))
})

test('§2.2 a pattern must match the whole value', () => {
  const field = { validation: { pattern: '[0-9]{5}|none' } }
  assert.equal(answerTo(field, '78701'), '78701')
  assert.equal(answerTo(field, 'none'), 'none')
  assert.deepEqual(answerTo(field, '78701-1'), refusal({ code: 'pattern_mismatch' }))
})

test('§2.2 a pattern that would block a backtracking engine matches quickly', () => {
  const startedAt = performance.now()
  answerTo({ validation: { pattern: '(a+)+' } }, `${'a'.repeat(9_000)}!`)
  assert.ok(performance.now() - startedAt < 1_000)
})

test('a text too long to match quickly doesn’t match', () => {
  const field = { validation: { pattern: 'a*' } }
  assert.equal(answerTo(field, 'a'.repeat(10_000)), 'a'.repeat(10_000))
  assert.deepEqual(answerTo(field, 'a'.repeat(10_001)), refusal({ code: 'pattern_mismatch' }))
})

test('§2.2 an uncached pattern is compiled like any other', () => {
  const id = crypto.randomUUID()
  const field = { validation: { pattern: `${id}[a-z]+` } }
  assert.equal(answerTo(field, `${id}x`), `${id}x`)
  assert.deepEqual(answerTo(field, `${id}7`), refusal({ code: 'pattern_mismatch' }))
  assert.equal(answerTo({ validation: { pattern: `(${id}` } }, 'hello'), 'hello')
})

test('§2.2 a pattern that doesn’t compile refuses no submission', () => {
  assert.equal(answerTo({ validation: { pattern: '(' } }, 'hello'), 'hello')
})

test('§7 the custom message replaces the default text', () => {
  const validation = { max_length: 3, message: 'Five digits, please.' }
  assert.deepEqual(answerTo({ validation }, 'abcd'), { problem: 'Five digits, please.' })
  assert.deepEqual(answerTo({ validation, required: true }, ''), { problem: 'Five digits, please.' })
})

test('no text takes long to validate, for any type and any combining marks', () => {
  const texts = [`${'1'.repeat(60_000)}x`, `e${'\u0301\u0316'.repeat(16_000)}`, ` ${'\t'.repeat(60_000)}x`]
  const types = FIELD_TYPE_NAMES.filter((type) => type !== 'file')
  for (const [type, text] of types.flatMap((type) => texts.map((text) => [type, text] as const))) {
    const startedAt = process.cpuUsage()
    answerTo({ type, options: type === 'select' ? SIZES : [] }, text)
    const { user } = process.cpuUsage(startedAt)
    assert.ok(user < 500_000, `${type} took ${user / 1_000} ms for ${JSON.stringify(text.slice(0, 3))}`)
  }
})

const TEXT_TYPES = ['text', 'textarea', 'email', 'phone', 'url', 'hidden'] as const

test('contract §5 an invisible text is empty', () => {
  for (const type of TEXT_TYPES) {
    for (const invisible of [
      '\u200b',
      '\u2060\ufeff\u00ad',
      '\u3164',
      '\u115f\u1160',
      '\uffa0',
      '\u2800 \u200d',
    ]) {
      assert.equal(answerTo({ type }, invisible), null, type)
      assert.deepEqual(answerTo({ type, required: true }, invisible), refusal({ code: 'missing' }), type)
    }
  }
  assert.equal(answerTo({ required: true }, 'a\u200db'), 'a\u200db')
})

test('contract §5 a text that cannot be stored as sent is refused, not changed', () => {
  const problem = refusal({ code: 'characters_unusable' })
  for (const type of TEXT_TYPES)
    for (const text of ['a@exam\0ple.com', 'half a pair \ud83d.', '\udc00'])
      assert.deepEqual(answerTo({ type }, text), problem, type)
})

test('contract §5 a web address has at most 2,048 characters unless its field says otherwise', () => {
  const address = (length: number) => `https://www.example.com/${'a'.repeat(length - 24)}`
  assert.equal(answerTo({ type: 'url' }, address(2_048)), address(2_048))
  assert.deepEqual(
    answerTo({ type: 'url' }, address(2_049)),
    refusal({ code: 'too_long', params: { max: 2_048 } }),
  )
  const validation = { max_length: 3_000 }
  assert.equal(answerTo({ type: 'url', validation }, address(3_000)), address(3_000))
})
