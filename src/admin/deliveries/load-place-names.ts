import type { Db } from '../../db/schema.ts'
import { type ConditionTrace, placesOfTrace } from '../../messages/admin/webhooks/conditions.ts'
import { listPlaceNames } from '../../taxonomies/taxonomy-store.ts'

/** The names of the places that reasons speak of, by slug. */
export function loadPlaceNames(
  db: Db,
  traces: readonly (ConditionTrace | null | undefined)[],
): Promise<Map<string, string>> {
  const slugs = traces.flatMap((trace) => (trace ? placesOfTrace(trace) : []))
  return listPlaceNames(db, [...new Set(slugs)])
}
