import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  countRow,
  offeredBy,
  offerRow,
  patternsOf,
  treeOf,
} from '#src/admin/entries/places/offered-places.ts'
import type { PlaceOption } from '#src/admin/entries/places/place-option.ts'
import { findTermsByName } from '#src/taxonomies/find-terms.ts'
import { descendantsOf } from '#src/taxonomies/term-tree.ts'

const PLACES: PlaceOption[] = [
  [1, 'ireland', 'Ireland', null],
  [2, 'clare', 'County Clare', 1],
  [3, 'ennis', 'Inis', 2],
  [4, 'kilkee', 'Kilkee', 2],
  [5, 'galway', 'Gaillimh', 1],
  [6, 'tuam', 'Tuaim', 5],
]
const TREE = treeOf(PLACES)
const ids = fc.constantFrom(...PLACES.map(([id]) => id))
const ticks = fc.array(fc.record({ id: ids, isAlone: fc.boolean(), isOffered: fc.boolean() }), {
  maxLength: 8,
})

function rowOf(id: number, isAlone = false) {
  const place = TREE.byId.get(id)
  assert.ok(place)
  return { place, isAlone }
}

test('selecting a place offers the service in all places in it and changes nothing else', () => {
  fc.assert(
    fc.property(ticks, (steps) => {
      let patterns: string[] = []
      for (const { id, isAlone, isOffered } of steps) {
        const row = rowOf(id, isAlone)
        const reached = isAlone ? [row.place] : [row.place, ...descendantsOf(row.place)]
        const before = offeredBy(patterns, TREE)
        patterns = offerRow(patterns, row, { tree: TREE, isOffered })
        const wanted = isOffered ? before.union(new Set(reached)) : before.difference(new Set(reached))
        const namesOf = (places: ReadonlySet<{ slug: string }>) => [...places].map(({ slug }) => slug).sort()
        assert.deepEqual(namesOf(offeredBy(patterns, TREE)), namesOf(wanted))
      }
    }),
    { numRuns: 200 },
  )
})

test('patterns stay as short as hand-written ones, and unknown ones are kept', () => {
  assert.deepEqual(offerRow([], rowOf(2), { tree: TREE, isOffered: true }), ['clare/**'])
  assert.deepEqual(offerRow(['clare/**'], rowOf(4), { tree: TREE, isOffered: false }), [
    'clare/**',
    'except kilkee',
  ])
  assert.deepEqual(offerRow(['atlantis', 'ennis'], rowOf(1), { tree: TREE, isOffered: true }), [
    'atlantis',
    'ireland/**',
  ])
  assert.deepEqual(patternsOf(' clare/** \n\nexcept ennis'), ['clare/**', 'except ennis'])
})

test('a place is found regardless of accents and counted with the places in it', () => {
  assert.deepEqual(
    findTermsByName(TREE, 'clare COUNTY').map(({ slug }) => slug),
    ['clare'],
  )
  const offered = offeredBy(['ennis'], TREE)
  assert.deepEqual(countRow(rowOf(2), offered), { all: 3, offered: 1 })
  assert.deepEqual(countRow(rowOf(2, true), offered), { all: 1, offered: 0 })
})
