import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkAnswers, sentValues } from '#src/forms/check-answers.ts'
import { FIELD_TYPE_NAMES } from '#src/forms/field-types/field-types.ts'
import { describeAnswer } from '#src/messages/visitor/answers.ts'
import { aField } from '../../support/forms.ts'

const ONE_OF_EACH = FIELD_TYPE_NAMES.map((type) =>
  aField({
    type,
    name: type,
    options: ['select', 'radio', 'checkbox'].includes(type) ? [{ label: 'Yes', value: 'yes' }] : [],
    validation: { max_length: 20, pattern: '.*' },
  }),
)

const names = fc.constantFrom(...FIELD_TYPE_NAMES, 'unknown', '__proto__', 'constructor', '_id')
const bodies = fc.dictionary(names, fc.anything(), { noNullPrototype: false })

test('contract §5 checkAnswers never throws, and only declared names are stored', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const checked = checkAnswers(ONE_OF_EACH, body)
      const named = Object.keys(checked.kind === 'valid' ? checked.answers : checked.errors)
      assert.deepEqual(
        named.filter((name) => !FIELD_TYPE_NAMES.includes(name as (typeof FIELD_TYPE_NAMES)[number])),
        [],
      )
    }),
    { numRuns: 2_000 },
  )
})

test('contract §5 stored answers are accepted again and stored unchanged', () => {
  const texts = fc.dictionary(names, fc.oneof(fc.string({ unit: 'grapheme', maxLength: 25 }), fc.double()))
  fc.assert(
    fc.property(texts, (body) => {
      const checked = checkAnswers(ONE_OF_EACH, body)
      if (checked.kind === 'valid') assert.deepEqual(checkAnswers(ONE_OF_EACH, checked.answers), checked)
    }),
    { numRuns: 1_000 },
  )
})

test('contract §5 every field has an answer for any input', () => {
  const checked = checkAnswers([aField({ name: 'a' }), aField({ name: 'b' })], { b: 'x', c: 'y' })
  assert.deepEqual(checked, { kind: 'valid', answers: { a: null, b: 'x' } })
})

test('contract §5 all invalid fields are reported at once', () => {
  const fields = [aField({ name: 'a', required: true }), aField({ name: 'b', type: 'email' }), aField()]
  const checked = checkAnswers(fields, { b: 'x' })
  assert.equal(checked.kind, 'invalid')
  assert.deepEqual(checked.kind === 'invalid' && Object.keys(checked.errors), ['a', 'b'])
})

test('an invalid phone number is reported with an example from the site’s country', () => {
  const checked = checkAnswers([aField({ name: 'a', type: 'phone' })], { a: 'x' }, {}, { country: 'IE' })
  assert.deepEqual(checked, {
    kind: 'invalid',
    errors: { a: [describeAnswer({ code: 'not_a_phone_number', params: { example: '+353 85 012 3456' } })] },
  })
})

test('contract §5 a JSON number that lost digits isn’t accepted as text', () => {
  const fields = [aField({ name: 'account' })]
  const sent = JSON.parse('[12345678901234567890, 1e400, -9007199254740993, 9007199254740991, 0.5]')
  assert.deepEqual(
    sent.map((account: number) => checkAnswers(fields, { account }).kind),
    ['invalid', 'invalid', 'invalid', 'valid', 'valid'],
  )
})

test('contract §5 inherited properties of the body are ignored', () => {
  const fields = [aField({ name: 'constructor' }), aField({ name: 'answer' })]
  const checked = checkAnswers(fields, Object.create({ answer: 'inherited' }))
  assert.deepEqual(checked, { kind: 'valid', answers: { constructor: null, answer: null } })
})

test('the values of a refused form are those sent for its fields', () => {
  const fields = [aField({ name: 'a' }), aField({ name: 'b' }), aField({ name: 'c' })]
  const values = sentValues(fields, { a: ' x ', b: ['1', '2'], website: 'spam', _id: 'y' })
  assert.deepEqual(values, { a: [' x '], b: ['1', '2'], c: [] })
})

test('hundreds of choices among a thousand options are validated quickly', () => {
  const options = Array.from({ length: 1_000 }, (_, index) => ({ label: `${index}`, value: `${index}` }))
  const ticked = Array.from({ length: 490 }, (_, index) => `${999 - index}`)
  const before = process.threadCpuUsage()
  const checked = checkAnswers([aField({ name: 'a', type: 'checkbox', options })], { a: ticked })
  const { user, system } = process.threadCpuUsage(before)
  assert.deepEqual(checked, { kind: 'valid', answers: { a: ticked } })
  assert.ok(user + system < 50_000, `${(user + system) / 1_000} ms`)
})
