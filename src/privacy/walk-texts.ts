import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../db/schema.ts'
import type { PersonPattern } from './person-pattern.ts'
import type { PersonalTable } from './personal-columns.ts'
import { findHighestKey, listProbed, type PersonalRow } from './personal-text-store.ts'

/** Number of keys searched per turn of the event loop. */
const WINDOW = 500

/** Yields the rows of a table with the person in one of their texts, in batches, in key order. */
export async function* walkTexts(
  db: Db,
  table: PersonalTable,
  pattern: PersonPattern,
  signal?: AbortSignal,
): AsyncGenerator<PersonalRow[]> {
  const highest = await findHighestKey(db, table)
  for (let after = 0; after < highest && !signal?.aborted; after += WINDOW) {
    const { probes } = pattern
    const rows = await listProbed(db, table, { after, until: after + WINDOW, probes })
    const found = rows.filter(({ texts }) =>
      Object.values(texts).some((text) => text !== null && holds(pattern, text)),
    )
    if (found.length > 0) yield found
    await nextTurn()
  }
}

// JSON escapes hide characters, so both the raw text and its decoded strings are searched.
function holds(pattern: PersonPattern, text: string): boolean {
  return pattern.isIn(text) || pattern.redactJson(text) !== text
}
