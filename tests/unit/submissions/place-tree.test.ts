import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addUpPlaces, type PlaceRow, rankPlaces } from '#src/submissions/results/place-tree.ts'
import { type Figures, NO_FIGURES, plus } from '#src/submissions/results/report-store.ts'

const figures = fc.record({ views: fc.nat(9), taps: fc.nat(9), leads: fc.nat(9), won: fc.nat(9) })
// The place at each position is below an earlier one, or at the top.
const places = fc.array(fc.record({ parent: fc.nat(), isTop: fc.boolean(), figures, isSeen: fc.boolean() }), {
  maxLength: 12,
})

test('each place has the figures of all places in it, and its parts add up to them', () => {
  fc.assert(
    fc.property(places, fc.boolean(), (given, isLimited) => {
      const lineOf = (index: number): number[] => {
        const { parent = 0, isTop = true } = given[index] ?? {}
        return isTop || index === 0 ? [index] : [index, ...lineOf(parent % index)]
      }
      // A limit includes the places below it.
      const isSeen = (key: string) =>
        !isLimited || lineOf(Number(key.slice(1))).some((index) => given[index]?.isSeen)
      const own = given
        .map(({ figures: own }, index) => ({ subject: `#${index}`, ...own }))
        .filter(({ subject }) => isSeen(subject))
      const step = (index: number) => ({ key: `#${index}`, name: `Place ${index}` })
      const lines = new Map(own.map(({ subject }) => [subject, lineOf(Number(subject.slice(1))).map(step)]))
      const rows = addUpPlaces(own, { lines, isSeen })
      const shown = rows.filter(({ isItself }) => !isItself)
      assert.deepEqual(
        new Set(shown.map(({ subject }) => subject)),
        new Set(own.map(({ subject }) => subject)),
      )
      for (const row of shown) {
        const within = own.filter(({ subject }) =>
          lines.get(subject)?.some(({ key }) => key === row.subject && isSeen(key)),
        )
        assert.deepEqual(countsOf(row), within.reduce(plus, NO_FIGURES), row.subject)
      }
      for (const [index, row] of rows.entries()) {
        const parts = partsOf(rows, index)
        if (parts.length > 0) assert.deepEqual(parts.reduce(plus, NO_FIGURES), countsOf(row), row.subject)
      }
      const tops = rows.filter(({ depth }) => depth === 0)
      assert.deepEqual(tops.reduce(plus, NO_FIGURES), own.reduce(plus, NO_FIGURES))
      const ranked = rankPlaces(rows)
      for (const [index, row] of rows.entries())
        for (const part of partsOf(rows, index)) assert.ok(ranked.indexOf(row) < ranked.indexOf(part))
    }),
  )
})

// The rows right below a row.
function partsOf(rows: readonly PlaceRow[], index: number): PlaceRow[] {
  const depth = rows[index]?.depth ?? 0
  const after = rows.slice(index + 1)
  const end = after.findIndex((row) => row.depth <= depth)
  return after.slice(0, end === -1 ? undefined : end).filter((row) => row.depth === depth + 1)
}

function countsOf({ views, taps, leads, won }: Figures): Figures {
  return { views, taps, leads, won }
}
