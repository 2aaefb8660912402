import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor, partsOf, type QualityFacts, scoreOf } from '#src/site/quality/page-quality.ts'
import { sketchOf } from '#src/site/quality/sketch.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'

const NOTHING: QualityFacts = {
  ...{
    ownWords: 0,
    copied: 0,
    twinPath: null,
    pageWords: 0,
    placeWords: 0,
    testimonial: null,
    placesBelow: 0,
  },
  ...{ hasAddress: false, hasPhone: false, hasMap: false },
}
const pointsOf = (facts: Partial<QualityFacts>) =>
  partsOf({ ...NOTHING, ...facts }).reduce((sum, { points }) => sum + points, 0)

for (const [fact, table] of [
  ['ownWords', { 0: 0, 1: 0.75, 79: 59.25, 80: 60, 81: 60 }],
  ['placeWords', { 0: 0, 1: 0.3, 49: 14.7, 50: 15, 51: 15 }],
  ['pageWords', { 249: 0, 250: 10, 251: 10 }],
  ['placesBelow', { 1: 0, 2: 10, 3: 10 }],
] as const) {
  test(`points for ${fact} stop at their maximum`, () => {
    for (const [count, points] of Object.entries(table))
      assert.equal(pointsOf({ [fact]: Number(count) }), points, count)
  })
}

test('a score is 100 at most', () => {
  const most = {
    ownWords: 80,
    testimonial: 'service',
    hasAddress: true,
    hasPhone: true,
    hasMap: true,
  } as const
  const scores = [10, 16, 20, 50].map((placeWords) => scoreOf({ ...NOTHING, ...most, placeWords }))
  assert.deepEqual(scores, [98, 100, 100, 100])
})

test('a page with more than half copied gets advice to differ, not to grow', () => {
  const adviceOf = (copied: number) =>
    partsOf({ ...NOTHING, ownWords: 40, copied, twinPath: '/twin' })[0]?.advice?.split(' ')[0]
  assert.deepEqual([adviceOf(0.5), adviceOf(0.51)], ['Write', 'Rewrite'])
})

test('a site lists pages from 40 points unless it says otherwise, from 0 to 100', () => {
  const thresholdOf = (settings: object) =>
    siteSettings.safeParse({ name: 'Ours', ...settings }).data?.quality_threshold
  assert.equal(thresholdOf({}), 40)
  assert.deepEqual(
    [-1, 0, 100, 101].map((quality_threshold) => thresholdOf({ quality_threshold })),
    [undefined, 0, 100, undefined],
  )
})

const SENTENCE = 'we repair every boiler here today and clean each drain well before dark'.split(' ')

/** Of every run of so many words of the sentence, how many are kept to be compared. */
function keptOf(length: number): number[] {
  const starts = Array.from({ length: SENTENCE.length - length + 1 }, (_, start) => start)
  return starts.map((start) => sketchOf(SENTENCE.slice(start, start + length).join(' ')).hashes.length)
}

test('texts are compared by runs of five words', () => {
  assert.deepEqual(new Set(keptOf(4)), new Set([0]))
  assert.deepEqual(new Set(keptOf(5)), new Set([0, 1]))
})

test('a run needs three words that aren’t names or numbers', () => {
  const kept = (texts: readonly string[]) => texts.map((text) => sketchOf(text).hashes.length)
  const two = SENTENCE.map((word) => `in Austin ${word} Lamar 7`)
  const three = SENTENCE.map((word) => `in Austin ${word} fix 7`)
  assert.deepEqual(new Set(kept(two)), new Set([0]))
  assert.deepEqual(new Set(kept(three)), new Set([0, 1]))
})

test('every second run is kept', () => {
  const text = Array.from(
    { length: 2_000 },
    (_, index) => `w${'abcdefghij'[index % 10]}${'x'.repeat(index % 97)}`,
  )
  const share = sketchOf(text.join(' ')).hashes.length / 970
  assert.ok(share > 0.45 && share < 0.55, String(share))
})

test('advice ends with the points, and the most valuable comes first', () => {
  const adviceOn = (facts: Partial<QualityFacts>) => adviceFor({ ...NOTHING, ...facts })
  assert.deepEqual(
    adviceOn({}).map(({ points }) => points),
    [60, 15, 15, 10, 10, 5, 5],
  )
  const whole = {
    ownWords: 80,
    placeWords: 50,
    pageWords: 250,
    hasAddress: true,
    hasPhone: true,
    hasMap: true,
  }
  assert.deepEqual(adviceOn({ ...whole, testimonial: 'service' }), [])
  for (const [fact, value, missing] of [
    ['ownWords', 79, 0.75],
    ['placeWords', 49, 0.3],
    ['testimonial', 'other', 7],
    ['testimonial', null, 15],
    ['hasMap', false, 5],
  ] as const) {
    const [advice, more] = adviceOn({ ...whole, testimonial: 'service', [fact]: value })
    assert.deepEqual([advice?.points.toFixed(2), more], [missing.toFixed(2), undefined], fact)
  }
})

test('spaces of any width separate words', () => {
  for (const space of [' ', '\u2000', '\u2003', '\u00a0', '\u3000'])
    assert.equal(sketchOf(`cool${space}air`).words, 2, JSON.stringify(space))
})
