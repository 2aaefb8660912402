import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findByName, type NameMatch, uniqueNameOf } from '#src/submissions/search/find-by-name.ts'
import type { Named } from '#src/submissions/search/names-store.ts'

const aPlace = (id: number, name: string, slugs: string[], formerNames: string[] = []): Named => ({
  ...{ kind: 'place', id, name, slugs, formerNames, former: [], createdAt: '2026-01-01T00:00:00.000Z' },
})

const PLACES = [
  aPlace(1, 'Ballina', ['ballina']),
  aPlace(2, 'Ballina', ['ballina-mayo', 'mayo/ballina']),
  aPlace(3, 'Áth an Mhuilinn', ['milford', 'ath-old'], ['Mill Ford', 'Ennis']),
  aPlace(4, 'Kilkee', ['kilkee', 'bath-town']),
  aPlace(5, 'KILKEE', ['kilkee-upper']),
  aPlace(6, 'Newport', ['newport'], ['Bath Town']),
  aPlace(7, '!', ['mark']),
  aPlace(8, 'Ennis', ['ennis', 'inis']),
  aPlace(9, 'milford', ['milford-village']),
]

const found = (slug: string): NameMatch => ({ kind: 'found', slug })
const ambiguous = (...slugs: string[]): NameMatch => ({ kind: 'ambiguous', slugs })
const unknown = (...near: string[]): NameMatch => ({ kind: 'unknown', near })

const MATCHES: [text: string, match: NameMatch, because: string][] = [
  ['ballina', found('ballina'), 'a current slug, though two have that name'],
  ['milford', found('milford'), 'a current slug, though another has that name'],
  ['Ballina', ambiguous('ballina', 'ballina-mayo'), 'two places with one name'],
  ['BALLINA', ambiguous('ballina', 'ballina-mayo'), 'in any case'],
  ['Kilkee', found('kilkee'), 'the exact name'],
  ['KILKEE', found('kilkee-upper'), 'the exact name in capitals'],
  ['kilKee', ambiguous('kilkee', 'kilkee-upper'), 'neither is exact'],
  ['ath an mhuilinn', found('milford'), 'without accents'],
  ['ath-an.MHUILINN', found('milford'), 'only the words count'],
  ['ath an', unknown(), 'only some of the words'],
  ['athan mhuilinn', unknown('Áth an Mhuilinn'), 'other words'],
  ['mill ford', found('milford'), 'a former name'],
  ['ath old', found('milford'), 'a former slug'],
  ['INIS', found('ennis'), 'a former slug'],
  ['ennis', found('ennis'), 'a name before another’s former name'],
  ['bath town', ambiguous('kilkee', 'newport'), 'a former slug and a former name'],
  ['mayo ballina', found('ballina-mayo'), 'a former slug of several words'],
  ['?', unknown(), 'no word, like the name of another place'],
  ['!', found('mark'), 'the exact name'],
  ['Newpott', unknown('Newport'), 'a similar name'],
]

for (const [text, match, because] of MATCHES)
  test(`the place “${text}” is ${match.kind}: ${because}`, () => {
    assert.deepEqual(findByName(PLACES, text), match)
  })

test('a name is unique if it means this place only', () => {
  const names = ['milford', 'kilkee', 'ennis', 'newport', 'ballina', 'ballina-mayo', 'milford-village'].map(
    (slug) => uniqueNameOf(PLACES, slug),
  )
  const unique = ['Áth an Mhuilinn', 'Kilkee', 'Ennis', 'Newport']
  // The last one is another place's current slug.
  assert.deepEqual(names, [...unique, undefined, undefined, undefined])
  assert.deepEqual([uniqueNameOf(PLACES, 'inis'), uniqueNameOf(PLACES, 'atlantis')], [undefined, undefined])
})
