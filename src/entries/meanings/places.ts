import { loadPlaces } from '../offers/load-places.ts'
import { expandOfferedIn } from '../offers/offered-in.ts'
import type { FieldMeaning } from './meaning.ts'

/** Patterns of places. */
export const places: FieldMeaning = {
  named: (pattern) => ({ to: 'locations', pattern }),
  isList: true,
  resolve: async (db, patterns) => {
    const { unknown } = expandOfferedIn((patterns as unknown[]).map(String), await loadPlaces(db))
    if (unknown.length === 0) return { value: patterns }
    const named = unknown.map((pattern) => `"${pattern}"`).join(', ')
    return {
      error: `No place fits ${named}. Write lines such as austin, texas/*, texas/** or except austin.`,
    }
  },
  help: 'One pattern a line: austin, texas/* (directly below Texas), texas/** (all of Texas), except austin. The coverage page writes these for you.',
}
