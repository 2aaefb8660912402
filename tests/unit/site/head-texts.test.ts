import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headDescription, headTitle } from '#src/site/pages/head-texts.ts'

test('a title includes the site’s name if both fit into a search result', () => {
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

test('missing parts of a description leave no gap, and lines are joined', () => {
  assert.equal(headDescription('Cooling.', null, 'In two\n lines.'), 'Cooling. In two lines.')
})

test('a text without spaces is not cut within a character', () => {
  assert.ok(headDescription(`a${'🛠'.repeat(100)}`).isWellFormed())
})

test('a description without spaces ends with a whole sentence, else with a whole word', () => {
  const sentence =
    '札幌市のエアコン修理は当日対応が可能で、部品は車に積んでいますので、ほとんどの修理は一度の訪問で終わり、料金は作業の前に必ずお知らせいたしますので安心です。'
  assert.equal(headDescription('Repair in 札幌市.', sentence.repeat(3)), `Repair in 札幌市. ${sentence}`)
  const endless = headDescription('Repair in 札幌市.', '当日対応が可能で、'.repeat(40))
  assert.ok(endless.length > 140 && endless.length <= 162, String(endless.length))
  assert.match(endless, /(当日|対応|が|可能|で) …$/)
})
