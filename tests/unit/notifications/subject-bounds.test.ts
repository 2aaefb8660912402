import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeSubject } from '#src/notifications/compose-subject.ts'
import type { MailContent } from '#src/notifications/mail-content.ts'

const subjectOf = (content: Partial<MailContent>) =>
  composeSubject({
    formName: 'Quote',
    serviceName: undefined,
    places: [],
    answers: [],
    ...content,
  } as MailContent)

const answers = (...texts: string[]) => texts.map((text) => ({ label: 'Name', text, type: 'text' }))
const x = (length: number) => 'x'.repeat(length)

for (const [what, most, put] of [
  ['a service or form', 60, (text: string) => [subjectOf({ formName: text }), ''] as const],
  ['a place', 60, (text: string) => [subjectOf({ places: [text] }), 'Quote in '] as const],
  ['an answer', 50, (text: string) => [subjectOf({ answers: answers(text) }), 'Quote: '] as const],
] as const) {
  test(`${what} has at most ${most} characters in a subject; a longer one ends with …`, () => {
    for (const [length, shown] of [
      [most - 1, x(most - 1)],
      [most, x(most)],
      [most + 1, `${x(most - 1)}…`],
    ] as const) {
      const [subject, before] = put(x(length))
      assert.equal(subject, before + shown, String(length))
    }
  })
}

test('a truncated subject ends with a word, not a space, and repeated spaces count once', () => {
  assert.equal(subjectOf({ answers: answers(`${x(48)} yyy`) }), `Quote: ${x(48)}…`)
  assert.equal(subjectOf({ answers: answers(' a \t \n b ') }), 'Quote: a b')
})

test('a subject has at most 200 characters', () => {
  // A form's name, " in ", a place, ": ", two answers, and ", " between them.
  const of = (last: number) =>
    subjectOf({ formName: x(60), places: [x(60)], answers: answers(x(50), x(last)) })
  assert.equal(of(22), `${x(60)} in ${x(60)}: ${x(50)}, ${x(22)}`)
  assert.equal(of(22).length, 200)
  assert.equal(of(23), `${x(60)} in ${x(60)}: ${x(50)}, ${x(21)}…`)
})

test('a character of many code units counts once, up to 20 units each', () => {
  const letter = `x${'\u0301'.repeat(19)}`
  assert.equal(subjectOf({ answers: answers(letter.repeat(50)) }), `Quote: ${letter.repeat(50)}`)
  const longer = `${letter.repeat(50)}\u0301`
  assert.equal(subjectOf({ answers: answers(longer) }), `Quote: ${letter.repeat(49)}…`)
})
