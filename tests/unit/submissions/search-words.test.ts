import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactMarks, emailMark, normalizeEmail, phoneMark } from '#src/submissions/search/contact-marks.ts'
import {
  hasWord,
  placeMark,
  searchableWords,
  serviceMark,
  slugMark,
  soughtWords,
  wordsOf,
} from '#src/submissions/search/search-words.ts'

const LEAD = { answers: {}, serviceSlug: null, serviceId: null, locationName: null, locationPath: null }
const indexed = (...given: Parameters<typeof searchableWords>) => searchableWords(...given).split(' ')

test('words are compared without accents, case, and punctuation, up to 40 characters', () => {
  assert.deepEqual(wordsOf('Séán O’Neil, 2nd-floor\tＡＢ'), ['sean', 'o', 'neil', '2nd', 'floor', 'ab'])
  assert.deepEqual(wordsOf('x'.repeat(41)), ['x'.repeat(40)])
  assert.deepEqual(wordsOf(' – '), [])
})

test('a lead is found by each of its texts and by its place and service names', () => {
  const answers = {
    name: 'Ann',
    budget: 500,
    agreed: true,
    note: null,
    kinds: ['repair', 'new'],
    photo: { name: 'roof.jpg', size: 1, type: 'image/jpeg', upload_id: 3 },
  }
  assert.deepEqual(indexed({ ...LEAD, answers }), ['ann', '500', 'repair', 'new', 'roof', 'jpg'])
  const about = {
    serviceSlug: 'ac-repair',
    serviceId: 4,
    locationName: 'Austin',
    locationPath: 'texas/austin',
  }
  assert.deepEqual(
    indexed({ ...LEAD, ...about }, { names: ['Lone Star'], notes: ['Call 2'], placeIds: [7] }),
    [
      ...['texas', 'austin', 'ac', 'repair', 'lone', 'star', 'call', '2'],
      ...[placeMark(7), slugMark('texas'), slugMark('austin'), serviceMark(4)],
    ],
  )
})

test('a phone number is one word in any grouping; other digits aren’t', () => {
  const words = indexed({ ...LEAD, answers: { phone: '+353 (0)87 123-4567' } })
  assert.ok(words.includes('3530871234567'), words.join())
  assert.deepEqual(indexed({ ...LEAD, answers: { note: '12 - 345' } }), ['12', '345'])
})

test('400 words of the answers are indexed, and 400 of the notes', () => {
  const many = (letter: string) => Array.from({ length: 500 }, (_, at) => `${letter}${at}`).join(' ')
  const words = indexed({ ...LEAD, answers: { note: many('a') } }, { notes: [many('b')] })
  assert.deepEqual([words.length, words[399], words[400]], [800, 'a399', 'b0'])
})

test('search words match prefixes of three characters or more, longer ones as a whole', () => {
  assert.deepEqual(soughtWords('An ann boiler boilers'), [
    { word: 'an', isPrefix: false },
    { word: 'ann', isPrefix: true },
    { word: 'boiler', isPrefix: true },
    { word: 'boilers', isPrefix: false },
  ])
  assert.deepEqual(soughtWords('boilers', { loosely: true }), [{ word: 'boilers', isPrefix: true }])
  assert.equal(soughtWords('a b c d e f g h i').length, 8)
  assert.deepEqual(soughtWords('087 123 4567'), [{ word: '0871234567', isPrefix: false }])
  assert.deepEqual(
    soughtWords('Ann 087 123 4567').map(({ word }) => word),
    ['ann', '087', '123', '4567'],
  )
})

test('a text matches a whole word or its prefix', () => {
  assert.equal(hasWord('New boilers', { word: 'boil', isPrefix: true }), true)
  assert.equal(hasWord('New boilers', { word: 'boil', isPrefix: false }), false)
  assert.equal(hasWord('New boilers', { word: 'boilers', isPrefix: false }), true)
  assert.equal(hasWord('New boilers', { word: 'oilers', isPrefix: true }), false)
})

test('leads of one person share marks of their email address and their phone number', () => {
  const marks = contactMarks({
    email: ' Ann@Example.com ',
    phone: '+353 87 123 4567',
    note: 'ring 087 123 4567',
  })
  assert.deepEqual(marks, [emailMark('ann@example.com'), phoneMark('1234567')])
  assert.notEqual(emailMark('ann@example.com'), emailMark('bob@example.com'))
  assert.equal(phoneMark('(087) 123-4567'), phoneMark('00353871234567'))
  assert.equal(phoneMark('123 456'), undefined)
  assert.deepEqual(contactMarks({ size: 7, phone: '1'.repeat(41), short: '123456', none: null }), [])
  assert.deepEqual(contactMarks({ phone: '1'.repeat(40) }), [phoneMark('1111111')])
})

test('marks of different things differ, and no text has one', () => {
  const marks = [
    ...[1, 2].flatMap((id) => [placeMark(id), serviceMark(id)]),
    ...['1', 'austin'].map(slugMark),
    ...['a@b.c', 'b@b.c'].map(emailMark),
    ...['1234567', '7654321'].map((digits) => phoneMark(digits) ?? ''),
  ]
  assert.equal(new Set(marks).size, marks.length)
  for (const mark of marks) {
    assert.match(mark, /^ª[a-z]+[0-9a-f]+$/)
    assert.ok(mark.length < 40)
    assert.ok(!wordsOf(mark).includes(mark), mark)
  }
})

test('an email address is one word with one @', () => {
  for (const text of [
    'ann',
    'a b@example.com',
    'a@b@c',
    '@example.com',
    'ann@',
    `${'a'.repeat(65)}@example.com`,
  ])
    assert.equal(normalizeEmail(text), undefined, text)
  assert.equal(normalizeEmail(`${'a'.repeat(64)}@b`), `${'a'.repeat(64)}@b`)
})

test('a lead of a place without a path is found by the name of the place', () => {
  assert.deepEqual(indexed({ ...LEAD, locationName: 'Fort Worth' }), ['fort', 'worth'])
  assert.deepEqual(indexed({ ...LEAD, serviceSlug: 'ac-repair' }), ['ac', 'repair'])
})
