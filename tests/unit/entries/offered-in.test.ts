import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namePlaces } from '#src/entries/offers/name-places.ts'
import {
  expandOfferedIn,
  includesNewPlace,
  includesPlace,
  type Reach,
  renamePlaceInPattern,
  withChoices,
  withOffer,
  withoutOffer,
} from '#src/entries/offers/offered-in.ts'
import { buildTermTree } from '#src/taxonomies/term-tree.ts'

const TREE = buildTermTree(
  [
    { id: 1, slug: 'texas', parentId: null },
    { id: 2, slug: 'austin', parentId: 1 },
    { id: 3, slug: 'zilker', parentId: 2 },
    { id: 4, slug: 'dallas', parentId: 1 },
  ].map((term) => ({
    ...term,
    taxonomyId: 1,
    name: term.slug,
    description: null,
    position: term.id,
    formerSlugs: [],
    kind: null,
  })),
)

for (const [pattern, slugs] of [
  ['austin', ['austin']],
  ['texas/*', ['austin', 'dallas']],
  ['texas/**', ['texas', 'austin', 'zilker', 'dallas']],
  ['dallas/**', ['dallas']],
  ['dallas/*', []],
] as const) {
  test(`${pattern} offers a service in ${slugs.join(', ') || 'no place'}`, () => {
    const { terms, unknown } = expandOfferedIn([pattern], TREE)
    assert.deepEqual(
      terms.map((term) => term.slug),
      slugs,
    )
    assert.deepEqual(unknown, [])
  })
}

test('patterns add up, and a place listed twice counts once', () => {
  const { terms } = expandOfferedIn(['zilker', 'austin/**', 'texas/*'], TREE)
  assert.deepEqual(
    terms.map((term) => term.slug),
    ['zilker', 'austin', 'dallas'],
  )
})

test('patterns without a matching term, or in another format, are unknown', () => {
  const patterns = ['ohio', 'ohio/**', 'texas/***', 'texas/austin', '*', '']
  assert.deepEqual(expandOfferedIn(['austin', ...patterns], TREE).unknown, patterns)
})

test('a pattern after except removes places of the patterns before it', () => {
  const { terms, unknown } = expandOfferedIn(['texas/**', 'except austin/**', 'zilker', 'except ohio'], TREE)
  assert.deepEqual(
    terms.map((term) => term.slug),
    ['texas', 'dallas', 'zilker'],
  )
  assert.deepEqual(unknown, ['except ohio'])
})

interface Change {
  before: string[]
  place: string
  reach: Reach
  after: string[]
}

const ADDED: Change[] = [
  { before: [], place: 'texas', reach: 'branch', after: ['texas/**'] },
  { before: ['texas/**'], place: 'austin', reach: 'place', after: ['texas/**'] },
  { before: ['austin', 'zilker'], place: 'texas', reach: 'branch', after: ['texas/**'] },
  { before: ['austin', 'zilker'], place: 'austin', reach: 'branch', after: ['austin', 'zilker'] },
  { before: ['texas/**', 'except austin/**'], place: 'austin', reach: 'branch', after: ['texas/**'] },
  {
    before: ['texas/**', 'except austin/**'],
    place: 'zilker',
    reach: 'place',
    after: ['texas/**', 'except austin/**', 'zilker'],
  },
  { before: ['ohio'], place: 'texas', reach: 'below', after: ['ohio', 'texas/*'] },
]

for (const { before, place, reach, after } of ADDED) {
  test(`offering ${place} (${reach}) on top of [${before}] makes it [${after}]`, () => {
    assert.deepEqual(withOffer(before, { term: termOf(place), reach }, TREE), after)
  })
}

const REMOVED: Change[] = [
  { before: ['texas/**'], place: 'texas', reach: 'branch', after: [] },
  { before: ['texas/**'], place: 'austin', reach: 'place', after: ['texas/**', 'except austin'] },
  { before: ['austin', 'dallas'], place: 'austin', reach: 'branch', after: ['dallas'] },
  { before: ['dallas'], place: 'austin', reach: 'branch', after: ['dallas'] },
  {
    before: ['texas/**', 'except austin'],
    place: 'austin',
    reach: 'branch',
    after: ['texas/**', 'except austin/**'],
  },
  { before: ['texas/**', 'except austin', 'ohio'], place: 'texas', reach: 'branch', after: ['ohio'] },
]

for (const { before, place, reach, after } of REMOVED) {
  test(`taking ${place} (${reach}) out of [${before}] makes it [${after}]`, () => {
    assert.deepEqual(withoutOffer(before, { term: termOf(place), reach }, TREE), after)
  })
}

for (const [patterns, isIncluded] of [
  [['texas/**'], true],
  [['austin/*'], true],
  [['texas/*', 'austin', 'dallas/**'], false],
  [['texas/**', 'except austin/**'], false],
  [['except austin/**', 'texas/**'], true],
  [['texas/**', 'except austin'], true],
] as const) {
  test(`a new place in Austin is ${isIncluded ? '' : 'not '}offered by [${patterns}]`, () => {
    assert.equal(includesNewPlace(patterns, termOf('austin')), isIncluded)
  })
}

test('a place is included exactly if it is among the places of the patterns', () => {
  const single = ['texas', 'austin', 'zilker', 'dallas', 'ohio'].flatMap((slug) =>
    ['', '/*', '/**'].flatMap((ending) => [slug + ending, `except ${slug}${ending}`]),
  )
  const pairs = single.flatMap((first) => single.map((second) => [first, second]))
  for (const patterns of pairs) {
    const { terms } = expandOfferedIn(patterns, TREE)
    for (const place of TREE.bySlug.values())
      assert.equal(includesPlace(patterns, place), terms.includes(place), `${place.slug} in ${patterns}`)
  }
})

for (const [pattern, renamed] of [
  ['austin', 'atx'],
  ['austin/*', 'atx/*'],
  ['except austin/**', 'except atx/**'],
  ['austin-north/**', 'austin-north/**'],
  ['texas/**', 'texas/**'],
  ['', ''],
] as const)
  test(`${pattern || 'nothing'} becomes ${renamed || 'nothing'} when Austin’s slug changes`, () => {
    assert.equal(renamePlaceInPattern(pattern, { from: 'austin', to: 'atx' }), renamed)
  })

test('choices about places add only patterns that change something', () => {
  const choices = [
    { term: termOf('austin'), reach: 'branch', isOffered: true },
    { term: termOf('dallas'), reach: 'place', isOffered: false },
  ] as const
  assert.deepEqual(withChoices(['texas/**'], choices, TREE), ['texas/**', 'except dallas'])
  assert.deepEqual(withChoices(['dallas'], choices, TREE), ['austin/**', 'except dallas'])
  assert.deepEqual(withChoices(['austin/**'], choices, TREE), ['austin/**'])
})

function termOf(slug: string) {
  const term = TREE.bySlug.get(slug)
  assert.ok(term)
  return term
}

test('patterns are described by the names of their places', () => {
  const [texas, austin, zilker, dallas] = [...TREE.byId.values()].map((term) => ({
    ...term,
    name: term.slug === 'zilker' ? 'Dallas' : `${term.slug.charAt(0).toUpperCase()}${term.slug.slice(1)}`,
    formerSlugs: term.slug === 'austin' ? ['old-austin'] : [],
  }))
  const named = buildTermTree([texas, austin, zilker, dallas].flatMap((term) => term ?? []))
  for (const [patterns, words] of [
    [['texas/**', 'except austin/**'], 'Texas and everything in it, except Austin and everything in it'],
    [['austin', 'texas/*'], 'Austin itself, all places one level below Texas'],
    [['dallas/**', 'zilker'], 'Dallas (Texas), Dallas (Austin)'],
    [['old-austin', 'gone/**'], 'Austin itself, gone (deleted) and everything in it'],
    [[], ''],
  ] as const)
    assert.equal(namePlaces(patterns, named), words)
})
