import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marksOfPlaces } from '#src/submissions/search/find-places.ts'
import { placeMark, slugMark } from '#src/submissions/search/search-words.ts'

const aPlace = (id: number, name: string, slug: string, formerNames: string[] = []) => ({
  ...{ kind: 'place' as const, id, name, slugs: [slug], formerNames, former: [] },
  createdAt: '2026-01-01T00:00:00.000Z',
})

const PLACES = [
  aPlace(1, 'Cork', 'cork'),
  aPlace(2, 'County Cork', 'co-cork'),
  aPlace(3, 'Corkscrew Hill', 'hill'),
  aPlace(4, 'Uncorked', 'un', ['New Bottle']),
  aPlace(5, 'Áth Cliath', 'dublin'),
  aPlace(6, 'Washington', 'wa'),
  aPlace(7, 'Washington Heights', 'washington'),
]

for (const [text, ids, because] of [
  ['cork', [1], 'the whole name, in any case'],
  ['Washington', [6], 'the name before a slug of another place'],
  ['Cork County', [2], 'the beginnings of words, in any order'],
  ['county', [2], 'the beginning of a word'],
  ['corks', [3], 'the beginning of a longer word'],
  ['co', [1, 2, 3], 'beginnings before letters within words'],
  ['ork hill', [3], 'letters within words'],
  ['corke', [4], 'letters within a word'],
  ['bottle', [4], 'a former name'],
  ['dublin', [5], 'a slug'],
  ['ath cliath', [5], 'without accents'],
] as const)
  test(`the filter “${text}” means places by ${because}`, () => {
    assert.deepEqual(marksOfPlaces(PLACES, text), ids.map(placeMark))
  })

test('a filter that means no place is the slug of a deleted one, and one without words none', () => {
  assert.deepEqual(marksOfPlaces(PLACES, 'El Paso'), [slugMark('el-paso')])
  assert.equal(marksOfPlaces(PLACES, ' – '), undefined)
})
