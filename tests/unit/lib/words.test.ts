import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWords, cutAtWord, splitWords, withSpaces } from '#src/lib/words.ts'

const JAPANESE = '札幌市のエアコン修理は、当日対応が可能です。'

for (const [text, words] of [
  ['We fix 3 pumps, today.', 5],
  ['', 0],
  ['— …', 0],
  ['서울에서 에어컨을 고칩니다', 3],
  ['Łódź i Kraków', 3],
] as const) {
  test(`"${text}" has ${words} words`, () => {
    assert.equal(countWords(text), words)
    assert.equal(withSpaces(text), text)
  })
}

for (const [language, text, least] of [
  ['Japanese', JAPANESE, 10],
  ['Chinese', '我们在上海修理空调和热水器。', 6],
  ['Thai', 'เราซ่อมเครื่องปรับอากาศในกรุงเทพ', 4],
  ['Japanese with English', 'LED照明をinstallします', 4],
] as const) {
  test(`words of ${language} are found without spaces between them`, () => {
    const count = countWords(text)
    assert.ok(count >= least && count <= text.length, `${count}: ${withSpaces(text)}`)
    assert.doesNotMatch(withSpaces(text), /[、。]|^ | {2}/)
  })
}

test('a text is cut before the word that goes over the limit, in any script', () => {
  assert.equal(cutAtWord('We fix pumps today', 15), 'We fix pumps')
  assert.equal(cutAtWord('short', 15), 'short')
  assert.equal(cutAtWord(JAPANESE, 6), '札幌市の')
  assert.equal(cutAtWord(`AC 修理 in ${JAPANESE}`, 20).startsWith('AC 修理 in 札幌市の'), true)
  assert.equal(cutAtWord('修理😀😀😀', 3), '修理')
  assert.equal(cutAtWord('exactly this', 12), 'exactly this')
  assert.equal(cutAtWord('Pumps 😀😀', 7), 'Pumps')
  assert.equal(cutAtWord('Two  spaces', 8), 'Two')
  assert.equal(cutAtWord('札幌市', 1), '札')
  assert.equal(cutAtWord('札幌 市内', 3), '札幌')
})

test('a line may begin with a word, not with punctuation or after an opening bracket', () => {
  assert.deepEqual(splitWords('修理（当日）です。'), ['修理（当日）', 'です。'])
  assert.deepEqual(splitWords('「修理」'), ['「修理」'])
  assert.deepEqual(splitWords(''), [])
})
