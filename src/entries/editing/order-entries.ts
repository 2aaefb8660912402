import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { compareText } from '../../lib/compare-text.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { type Entry, listEntries, updateEntry } from '../entry-store.ts'
import { recordAround } from '../history/record-entry.ts'
import type { ContentType } from '../types/content-type-store.ts'
import type { SavingEntry } from './save-entry.ts'

/** Leaves gaps so that a content file can insert one in between. */
const STEP = 10

/** Returns whether entries of this type are ordered by hand. */
export function hasOrder({ fields }: Pick<ContentType, 'fields'>): boolean {
  return fields.some(({ key }) => key === 'position')
}

/** Sorts entries by position; the ones without a position come last, by slug. */
export function inOrder<One extends Pick<Entry, 'data' | 'slug'>>(entries: readonly One[]): One[] {
  return entries.toSorted(
    (one, other) => positionOf(one) - positionOf(other) || compareText(one.slug, other.slug),
  )
}

/** Returns an entry's sort position; entries without a position come last. */
export function positionOf({ data }: Pick<Entry, 'data'>): number {
  return typeof data.position === 'number' ? data.position : Number.MAX_SAFE_INTEGER
}

/** Returns the IDs of entries in order after a move such as `up:12`. */
export function moveInOrder(entries: readonly Pick<Entry, 'id'>[], move: string): number[] {
  const [direction, id] = move.split(':')
  const ids = entries.map((entry) => entry.id)
  const from = ids.indexOf(Number(id))
  if (from < 0) return ids
  const to = Math.max(0, direction === 'up' ? from - 1 : from + 1)
  return ids.toSpliced(from, 1).toSpliced(to, 0, Number(id))
}

// Entries without a position come last, by slug: a tail in that order needs none, so that one move changes few.
function countToNumber(entries: readonly Entry[]): number {
  const last = entries.findLastIndex(
    (entry, index) =>
      typeof entry.data.position === 'number' ||
      compareText(entry.slug, entries[index + 1]?.slug ?? entry.slug) > 0,
  )
  return last + 1
}

/** Puts the entries of a type in the order of these IDs, followed by the rest. Returns the entries that changed. */
export async function orderEntries(
  db: Kysely<Schema>,
  type: ContentType,
  ids: readonly number[],
  { now, by }: SavingEntry,
): Promise<Entry[]> {
  return changeContent(db, async (trx) => {
    const entries = new Map(inOrder(await listEntries(trx, type.id)).map((entry) => [entry.id, entry]))
    const wanted = new Set([...ids.filter((id) => entries.has(id)), ...entries.keys()])
    const changed: Entry[] = []
    const clock = { now: now.toISOString(), by }
    const inWantedOrder = [...wanted].map((id) => entries.get(id) as Entry)
    for (const [index, entry] of inWantedOrder.slice(0, countToNumber(inWantedOrder)).entries()) {
      const { id } = entry
      const position = (index + 1) * STEP
      if (entry.data.position === position) continue
      const moved = { ...entry, data: { ...entry.data, position } }
      await recordAround(trx, entry, () => updateEntry(trx, id, moved, clock), clock)
      changed.push(entry)
    }
    return changed
  })
}
