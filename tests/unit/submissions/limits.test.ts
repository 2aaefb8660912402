import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesPattern } from '#src/forms/fields/field-pattern.ts'
import { summarize } from '#src/submissions/inbox/summarize.ts'
import { searchableWords, soughtWords, wordsOf } from '#src/submissions/search/search-words.ts'
import { cleanFileName } from '#src/submissions/uploads/upload-name.ts'

const x = (length: number) => 'x'.repeat(length)
const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ')

test('a file name keeps 120 characters, and an extension of up to 20 with its dot', () => {
  assert.deepEqual([x(120), x(121)].map(cleanFileName), [x(120), x(120)])
  const longest = `.${x(19)}`
  assert.equal(cleanFileName(`${'a'.repeat(200)}${longest}`), `${'a'.repeat(100)}${longest}`)
  assert.equal(cleanFileName(`${'a'.repeat(200)}${longest}x`), 'a'.repeat(120))
})

test('an inbox row has 100 characters of the sender and 200 of the rest', () => {
  const lineOf = (name: string, message: string) => summarize({ name, message })
  assert.deepEqual(lineOf(x(100), x(200)), { sender: x(100), excerpt: x(200) })
  assert.deepEqual(lineOf(x(101), x(201)), { sender: x(100), excerpt: x(200) })
})

test('answers of up to 12 characters are shown only without longer ones', () => {
  const told = (message: string) => summarize({ name: 'Ann', role: 'owner', message }).excerpt
  assert.deepEqual([told(x(12)), told(x(13))], [`owner · ${x(12)}`, x(13)])
})

test('a search has at most 8 words, and prefixes of 3 to 6 characters', () => {
  assert.deepEqual(
    [8, 9].map((count) => soughtWords(words(count)).length),
    [8, 8],
  )
  const isPrefix = (length: number) => soughtWords(x(length))[0]?.isPrefix
  assert.deepEqual([2, 3, 6, 7].map(isPrefix), [false, true, true, false])
})

test('a submission is found by 400 words of at most 40 characters', () => {
  const indexed = (count: number) =>
    searchableWords({
      ...{
        answers: { message: words(count) },
        serviceSlug: null,
        serviceId: null,
        locationName: null,
        locationPath: null,
      },
    }).split(' ').length
  assert.deepEqual([400, 401].map(indexed), [400, 400])
  assert.deepEqual([x(40), x(41)].flatMap(wordsOf), [x(40), x(40)])
})

test('six or more digits count as a phone number', () => {
  const isOne = (text: string) => soughtWords(text).map(({ word }) => word)
  assert.deepEqual([isOne('12 345'), isOne('12 3456')], [['12', '345'], ['123456']])
})

test('a value of more than 10,000 characters matches no pattern', () => {
  assert.deepEqual(
    [10_000, 10_001].map((length) => matchesPattern('x*', x(length))),
    [true, false],
  )
})
