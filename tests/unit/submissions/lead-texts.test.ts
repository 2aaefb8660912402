import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnTitles } from '#src/submissions/inbox/export-labels.ts'
import { answerText, labelAnswers, readableAnswer } from '#src/submissions/inbox/label-answers.ts'
import { splitAnswers } from '#src/submissions/inbox/split-answers.ts'
import { summarize } from '#src/submissions/inbox/summarize.ts'
import { aField } from '../../support/forms.ts'

const SIZE = aField({
  ...{ name: 'size', type: 'select', label: 'Size' },
  options: [
    { label: 'Large', value: 'l' },
    { label: 'Small', value: 's' },
  ],
})
const PHOTO = { name: 'roof.jpg', size: 2_048, type: 'image/jpeg', upload_id: 7 }

test('an answer is shown in readable form', () => {
  assert.deepEqual(
    [null, '', true, false, 0, 1.5, 'l', PHOTO].map((answer) => answerText(answer)),
    ['', '', 'Yes', 'No', '0', '1.5', 'l', 'roof.jpg (2 KB)'],
  )
  assert.equal(answerText('l', SIZE), 'Large')
  assert.equal(answerText(['s', 'gone', 'l'], SIZE), 'Small, gone, Large')
})

test('people read a date with its weekday, other programs as it was sent', () => {
  const day = aField({ name: 'day', type: 'date' })
  assert.equal(answerText('2026-12-10', day), '2026-12-10')
  assert.equal(labelAnswers({ day: '2026-12-10' }, [day])[0]?.text, 'Thu, Dec 10, 2026')
  assert.equal(readableAnswer('2026-02-30', day), '2026-02-30')
  assert.equal(readableAnswer('2026-12-10', aField({ name: 'day' })), '2026-12-10')
  assert.equal(readableAnswer(null, day), '')
  assert.equal(summarize({ name: 'Ann', day: '2026-12-10' }, [day]).excerpt, 'Thu, Dec 10, 2026')
  assert.equal(
    summarize({ name: 'Ann', day: '2026-12-10', note: 'It leaks at night' }, [day]).excerpt,
    'It leaks at night',
  )
})

test('answers follow the order of the questions, then answers without a question', () => {
  const terms = aField({ name: 'terms', label: 'I accept the [terms](/terms)' })
  const fields = [SIZE, terms, aField({ name: 'constructor', label: 'Constructor' })]
  const labelled = labelAnswers({ old: 'x', terms: true, size: 'l' }, fields)
  assert.deepEqual(
    labelled.map(({ name, label, text, answer, field }) => [name, label, text, answer, field?.name]),
    [
      ['size', 'Size', 'Large', 'l', 'size'],
      ['terms', 'I accept the terms', 'Yes', true, 'terms'],
      ['constructor', 'Constructor', '', null, 'constructor'],
      ['old', 'old', 'x', 'x', undefined],
    ],
  )
})

test('a list row starts with the sender’s name, then the request', () => {
  assert.deepEqual(
    summarize({ budget: '500', email: 'a@example.com', name: ' Ann ', note: 'A new boiler' }),
    {
      sender: 'Ann',
      excerpt: '500 · a@example.com · A new boiler',
    },
  )
  const story = 'A new boiler for a small house'
  assert.equal(summarize({ name: 'Ann', phone: '087 123 4567 89', kind: 'new', note: story }).excerpt, story)
  assert.deepEqual(summarize({ note: null, color: ' red ', size: 'big' }), { sender: 'red', excerpt: 'big' })
  assert.deepEqual(summarize({ note: null }), { sender: 'No answers', excerpt: '' })
})

test('a list row names options by their labels', () => {
  assert.equal(summarize({ name: 'Ann', size: 'l' }, [SIZE]).excerpt, 'Large')
  assert.equal(summarize({ name: 'Ann', size: 'gone' }, [SIZE]).excerpt, 'gone')
})

test('a list row prefers written answers to long choices, and leaves out hidden fields', () => {
  const kind = { ...SIZE, name: 'kind', options: [{ label: 'Air conditioning repair', value: 'ac' }] }
  const fields = [kind, aField({ name: 'source', type: 'hidden' })]
  const asked = { name: 'Ann', phone: '5', kind: 'ac', source: 'website' }
  assert.equal(summarize(asked, fields).excerpt, '5 · Air conditioning repair')
  assert.equal(summarize({ ...asked, note: 'It leaks at night' }, fields).excerpt, 'It leaks at night')
})

test('a lead’s page starts with contacts and the first answers; a short form has no other part', () => {
  const split = (answers: Record<string, string>) => {
    const email = aField({ name: 'mail_to', type: 'email' })
    const { first, rest } = splitAnswers(
      labelAnswers(answers, Object.keys(answers).includes('mail_to') ? [email] : []),
    )
    return [first, rest].map((part) => part.map(({ name }) => name).join(' '))
  }
  assert.deepEqual(split({ name: 'Ann', phone: '1', a: 'x', b: 'x', c: 'x' }), ['name phone a b c', ''])
  assert.deepEqual(split({ a: 'x', b: 'x', c: 'x', d: 'x', e: 'x', f: 'x', phone: '1' }), [
    'a b c d phone',
    'e f',
  ])
  assert.deepEqual(split({ a: 'x'.repeat(300), b: 'x', c: '', mail_to: 'a@example.com' }), [
    'mail_to a',
    'b c',
  ])
  assert.deepEqual(split({ a: 'x'.repeat(301), phone: '1' }), ['phone', 'a'])
  assert.deepEqual(split({}), ['', ''])
})

test('a list row leaves out ticked boxes, and what is already beside it', () => {
  const asked = { name: 'Ann', kind: 'Furnace repair', size: 'large' }
  assert.equal(summarize(asked, [], 'Furnace repair').excerpt, 'large')
  assert.equal(summarize(asked, [], null).excerpt, 'Furnace repair')
  assert.equal(summarize({ name: 'Ann', size: 'large', urgent: false, consent: true }).excerpt, 'large')
})

test('a list row is one line, cut between characters', () => {
  assert.equal(summarize({ name: 'Ann\n \tLee' }).sender, 'Ann Lee')
  assert.equal(summarize({ name: 'x'.repeat(100) }).sender, 'x'.repeat(100))
  assert.equal(summarize({ name: 'x'.repeat(101) }).sender, 'x'.repeat(100))
  assert.equal(summarize({ name: '👍'.repeat(101) }).sender, '👍'.repeat(100))
  assert.equal(summarize({ name: 'a', note: 'x'.repeat(300) }).excerpt, 'x'.repeat(200))
})

test('a column has every label of its question, and its name if another has the same', () => {
  const labels = new Map([
    ['size', ['Dimensions', 'Size', 'Dimensions']],
    ['color', ['Color']],
    ['color_2', ['color']],
    ['when', ['Received']],
    ['terms', ['The [terms](/terms)']],
  ])
  assert.deepEqual(columnTitles(labels, ['ID', 'Received']), [
    ...['Dimensions / Size', 'Color (color)', 'color (color_2)', 'Received (when)', 'The terms'],
  ])
})
