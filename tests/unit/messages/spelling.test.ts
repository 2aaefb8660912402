import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import dictionary from 'dictionary-en'
import nspell from 'nspell'
import { listTexts } from '#scripts/words/list-texts.ts'
import { PAGES, proseOf } from '../../support/documentation.ts'

const KNOWN = readFileSync(join(import.meta.dirname, 'known-words.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const spelling = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic))
for (const line of KNOWN) {
  const [word = '', model] = line.split('/')
  if (model) spelling.add(word, model)
  else spelling.add(word)
}

test('every word of a text is US English', async () => {
  const wrong = [...(await listTexts())].flatMap(([area, texts]) =>
    texts.flatMap(({ key, text }) => misspelled(text).map((word) => `${area} ${key}: ${word}`)),
  )
  assert.deepEqual(wrong, [])
})

test('every word of the documentation is US English', () => {
  const wrong = PAGES.flatMap((page) => misspelled(proseOf(page)).map((word) => `${page}: ${word}`))
  assert.deepEqual(wrong, [])
})

test('a misspelled word is found; code, placeholders, and addresses are not read', () => {
  assert.deepEqual(
    misspelled(
      'The Webhook’s colour is recieved by webhooks: see content/x.yaml, SECRET_KEY, {nme}, npm run key:rotate',
    ),
    ['colour', 'recieved'],
  )
})

function misspelled(text: string): string[] {
  return wordsOf(text).filter((word) => !spelling.correct(word))
}

function wordsOf(text: string): string[] {
  return text
    .replace(/\{\w*\}/g, ' ')
    .split(/[\s—|[\]()"“”{}]+/)
    .filter((token) => !/^-|[_/\\.@=:<>$*#\d`~^]\S/.test(token))
    .flatMap((token) => token.split(/[-–+]/))
    .map((part) => part.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '').replaceAll('’', "'"))
    .map((word) => word.replace(/'s$/, ''))
    .filter((word) => word.length > 1 && !/^[A-Z]+s?$/.test(word))
}
