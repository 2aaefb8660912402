import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headDescription, headTitle } from '../../../src/site/head-texts.ts'

test('a title carries the name of the site as far as both fit into a search result', () => {
  assert.equal(
    headTitle('AC repair in Austin, Texas', 'Bluebonnet'),
    'AC repair in Austin, Texas | Bluebonnet',
  )
  const long = 'Electrical panel upgrade in Heritage Hills, Oklahoma City'
  assert.equal(headTitle(long, 'Bluebonnet Home Services'), long)
})

test('a description ends with a whole sentence, else with a whole word', () => {
  const sentence = 'We look at the drain first, because it is the drain in two cases out of three.'
  assert.equal(headDescription(sentence, `Then ${sentence}`, sentence), sentence)
  const words = headDescription('one two three, '.repeat(20))
  assert.match(words, /(one|two|three) …$/)
  assert.ok(words.length <= 160)
})

test('parts of a description that are missing leave no gap, and lines become one', () => {
  assert.equal(headDescription('Cooling.', null, 'In two\n lines.'), 'Cooling. In two lines.')
})

test('a text without blanks is not cut within a character', () => {
  assert.ok(headDescription(`a${'🛠'.repeat(100)}`).isWellFormed())
})
