import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOverlaps } from '#src/site/quality/overlap-index.ts'
import { sketchOf } from '#src/site/quality/sketch.ts'

const INTRO =
  'We have repaired air conditioners in Austin since 1998, and most of our calls there are clogged drains, worn ' +
  'capacitors and coils that nobody has cleaned. Our technicians know the houses between Lamar and Burnet, where ' +
  'the air handler sits above the hallway and the drain runs along the north wall for 40 feet before it leaves.'

function shared(one: string, other: string) {
  return findOverlaps([one, other].map((text) => sketchOf(text).hashes))[0]
}

test('the same text with other names and numbers counts as a copy', () => {
  const copy = INTRO.replace('Austin', 'San Antonio')
    .replace('1998', '2004')
    .replace('Lamar and Burnet', 'Broadway and Main')
  assert.deepEqual(shared(INTRO, copy), { share: 1, twin: 1 })
})

test('different texts about one subject share nothing', () => {
  const other =
    'In Houston the air is the hard part: a system has to wring five gallons of water out of it before the house feels ' +
    'cool. Half of our summer calls are pans and float switches, and those are finished within the first visit.'
  assert.deepEqual(shared(INTRO, other), { share: 0, twin: undefined })
})

test('a half-copied text shares about half', () => {
  const [, second = ''] = INTRO.split('. ')
  const other = `${second} And this is what only this place says, because it is true nowhere else at all.`
  const { share = 0 } = shared(INTRO, other) ?? {}
  assert.ok(share > 0.35 && share < 0.75, String(share))
})

test('each text is matched with the one that shares the most', () => {
  const texts = Array.from({ length: 2_000 }, (_, i) =>
    Uint32Array.from({ length: 10 }, (_, j) => 2 ** 31 + i * 10 + j),
  )
  const copied = [...(texts[7] as Uint32Array).slice(0, 6), ...(texts[1_999] as Uint32Array).slice(0, 2), 1]
  const overlaps = findOverlaps([...texts, Uint32Array.from(copied)])
  assert.deepEqual(overlaps[2_000], { share: 8 / 9, twin: 7 })
  assert.deepEqual(overlaps[7], { share: 0.6, twin: 2_000 })
  assert.deepEqual(overlaps[8], { share: 0, twin: undefined })
})

test('words of other alphabets are words, and their capitals begin names', () => {
  const { words } = sketchOf('Ça coûte 40 €, rue de l’Église – à Orléans')
  assert.equal(words, 8)
  const text = (place: string) =>
    `Wir reparieren in ${place} jede Heizung noch am selben Tag und sagen vorher den Preis`
  assert.equal(shared(text('Überlingen'), text('Köln'))?.share, 1)
})

test('an empty text has no words and shares nothing', () => {
  assert.equal(sketchOf('').words, 0)
  assert.deepEqual(findOverlaps([new Uint32Array()]), [{ share: 0, twin: undefined }])
})

test('texts without spaces are also compared word by word', () => {
  const text =
    '札幌市では雪の重みで室外機の架台がよく曲がります。私たちは冬の前に架台を点検し、必要なら高さを変えて取り付け直します。'
  const other =
    '大阪市の古い団地では配管が壁の中を通っているため、まず内視鏡で水漏れの場所を探してから工事の見積もりを出します。'
  assert.ok(sketchOf(text).words > 25, String(sketchOf(text).words))
  assert.equal(shared(text, text)?.share, 1)
  assert.equal(shared(text, other)?.share, 0)
  const { share = 0 } = shared(text, `${text.split('。')[0]}。${other}`) ?? {}
  assert.ok(share > 0.2 && share < 0.8, String(share))
})
