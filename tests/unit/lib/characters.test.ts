import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findUnusableCharacter,
  isInvisible,
  withoutDirectionMarks,
  withoutUnusableCharacters,
} from '#src/lib/characters.ts'
import { compareText, orderOfNames } from '#src/lib/compare-text.ts'
import { isCalendarDay } from '#src/lib/locale/calendar-day.ts'
import { describeSource, describeVisit } from '#src/messages/admin/measuring/sources.ts'
import { summarize } from '#src/submissions/inbox/summarize.ts'

for (const [text, found, rest] of [
  ['a b\t\r\n', undefined, 'a b\t\r\n'],
  ['ab\u0000c', { index: 2, name: 'U+0000' }, 'abc'],
  ['\u001b[1m\u0000', { index: 0, name: 'U+001B' }, '[1m'],
  ['a\ud83d', { index: 1, name: 'U+D83D' }, 'a'],
  ['🙂\uffff', { index: 2, name: 'U+FFFF' }, '🙂'],
] as const) {
  test(`${JSON.stringify(text)} has ${found ? `the character ${found.name}` : 'only characters'} that pages ${found ? 'cannot' : 'can'} show`, () => {
    assert.deepEqual(findUnusableCharacter(text), found)
    assert.equal(withoutUnusableCharacters(text), rest)
  })
}

test('a text of spaces and invisible characters is invisible', () => {
  assert.deepEqual(['', ' \n', '\u200b\u2800'].map(isInvisible), [true, true, true])
  assert.deepEqual(['a', ' . ', '\u200ba'].map(isInvisible), [false, false, false])
})

test('marks that change the direction of a text are left out of what people read', () => {
  const marks = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
  assert.equal(withoutDirectionMarks(`a${marks}b`), 'ab')
  assert.equal(withoutDirectionMarks('שלום \u200d👩‍🚀 é'), 'שלום \u200d👩‍🚀 é')
  const forged = 'spring\u202egpj.exe'
  assert.equal(describeSource(`campaign:${forged}`), 'Tagged link: springgpj.exe')
  assert.equal(
    describeVisit('campaign:fall', { utm_campaign: forged, landing_page: '/\u2066a' }),
    'Tagged link: fall, campaign springgpj.exe, landed on /a',
  )
  const { sender, excerpt } = summarize({ name: 'Ann\u202e', note: `${marks}A leak in the kitchen` })
  assert.deepEqual([sender, excerpt], ['Ann', 'A leak in the kitchen'])
})

test('texts sort identically everywhere, and names by their language', () => {
  assert.deepEqual(['b', 'a', 'Z', 'a'].sort(compareText), ['Z', 'a', 'a', 'b'])
  assert.deepEqual(['Zoë', 'Öl', 'Ob'].sort(orderOfNames('de')), ['Ob', 'Öl', 'Zoë'])
  assert.deepEqual(['Zoë', 'Öl', 'Ob'].sort(orderOfNames('sv')), ['Ob', 'Zoë', 'Öl'])
  assert.deepEqual(['e\u0301', 'é'].sort(orderOfNames('en')), ['e\u0301', 'é'])
  assert.deepEqual(['é', 'e\u0301'].sort(orderOfNames('en')), ['e\u0301', 'é'])
})

test('a day must exist in the calendar', () => {
  for (const day of ['2024-02-29', '0001-01-01', '9999-12-31']) assert.equal(isCalendarDay(day), true, day)
  for (const day of [
    ...['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '0000-01-01', '2026-1-1', ''],
    ...['12026-01-01', '2026-01-012', '2026-01-01T00:00', 'x2026-01-01'],
  ])
    assert.equal(isCalendarDay(day), false, day)
})
