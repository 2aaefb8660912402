import type { Db } from '../../db/schema.ts'
import { findHolder } from '../places/holder-of-slug.ts'
import { listNamed, type Named } from '../search/names-store.ts'
import { keyOfId, keyOfSlugs } from './result-keys.ts'
import { addSums, hasSumsOfSlugs, takeSumsOfSlugs } from './sum-store.ts'

const BATCH = 200

/** Returns true if `bringOverSums` has something to do. */
export async function hasOldSums(db: Db): Promise<boolean> {
  return (await hasSumsOfSlugs(db, 'lead_counts')) || (await hasSumsOfSlugs(db, 'traffic_counts'))
}

/**
 * Converts sums keyed by slug to sums keyed by ID, in a transaction, wherever a place or service has or had these
 * slugs. Returns true when nothing is left.
 */
export async function bringOverSums(db: Db): Promise<boolean> {
  let isDone = true
  for (const table of ['lead_counts', 'traffic_counts'] as const) {
    const sums = await takeSumsOfSlugs(db, table, { limit: BATCH })
    if (sums.length === BATCH) isDone = false
    if (sums.length === 0) continue
    const services = sums.flatMap(({ dimension, subject }) => (dimension === 'service' ? subject : []))
    const places = sums.map(({ place }) => lastOf(place))
    const found = Map.groupBy(await listNamed(db, { places, services }), ({ kind }) => kind)
    const moved = sums.map((sum) => ({
      ...sum,
      place: newKey(sum.place, found.get('place')),
      subject: sum.dimension === 'service' ? newKey(sum.subject, found.get('service')) : sum.subject,
    }))
    // Several may have the same key now, which one statement can't take.
    for (const sum of moved) await addSums(db, table, [sum])
  }
  return isDone
}

function newKey(key: string, holders: readonly Named[] = []): string {
  if (key === '' || /^[#=]/.test(key)) return key
  const id = findHolder(holders, { slug: lastOf(key), name: null, at: '' })
  return id > 0 ? keyOfId(id) : keyOfSlugs(key)
}

function lastOf(path: string): string {
  return path.split('/').at(-1) ?? ''
}
