import type { Db } from '../../db/schema.ts'
import { compareSnapshots } from '../../entries/history/compare-snapshots.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { offeredIn } from '../../entries/offers/offer-service.ts'
import { locationOfPattern } from '../../entries/offers/offered-in.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import type { listTermsById } from '../../taxonomies/term-lookup-store.ts'
import { listContentsSince } from '../../versions/change-since-store.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { Change } from './change-of.ts'
import type { NamedChange } from './describe-change.ts'
import type { LiveRecord } from './live-record.ts'

type Named = ContentChange & NamedChange & { change: Change }

/**
 * Finds the services whose only change says whether they are offered in new places: adding a place made it. Returns the
 * names of the places by the ID of the service.
 */
export async function findNewPlaces(
  db: Db,
  { position }: LiveRecord,
  { changes, terms }: { changes: readonly Named[]; terms: Awaited<ReturnType<typeof listTermsById>> },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const idsOf = (...[subject, change, ofSlug]: [Named['subject'], Change, string]) =>
    changes
      .filter((one) => one.subject === subject && one.change === change && one.ofSlug === ofSlug)
      .map(({ subjectId }) => Number(subjectId))
  const [places, ids] = [idsOf('term', 'added', LOCATIONS), idsOf('entry', 'edited', SERVICES)]
  const found = new Map<string, readonly string[]>()
  if (places.length === 0 || ids.length === 0) return found
  const nameOf = new Map(places.map((id) => [terms.get(id)?.slug, terms.get(id)?.name]))
  for (const [id, { now, before }] of await listContentsSince(db, 'entry', {
    ids,
    since: position.savedAt,
  })) {
    const slugs = before ? placesOfChange(before as EntrySnapshot, now as EntrySnapshot) : []
    const names = slugs.flatMap((slug) => nameOf.get(slug) ?? [])
    if (names.length > 0 && names.length === slugs.length) found.set(`${id}`, names)
  }
  return found
}

// The places that changed patterns name; none if anything else changed too.
function placesOfChange(before: EntrySnapshot, after: EntrySnapshot): string[] {
  const keys = compareSnapshots(before, after, []).map(({ key }) => ('field' in key ? key.field : key.own))
  if (keys.some((key) => key !== 'offered_in')) return []
  const [former, current] = [offeredIn(before), offeredIn(after)]
  const kept = former.filter((pattern) => current.includes(pattern))
  const isReordered = current.filter((pattern) => former.includes(pattern)).join() !== kept.join()
  if (isReordered) return []
  const changed = [...former, ...current].filter((pattern) => !kept.includes(pattern))
  return [...new Set(changed.map((pattern) => locationOfPattern(pattern) ?? ''))]
}
