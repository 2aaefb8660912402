import type { Db } from '../../db/schema.ts'
import { compareSnapshots } from '../../entries/history/compare-snapshots.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { offeredIn } from '../../entries/offers/offer-service.ts'
import { locationOfPattern } from '../../entries/offers/offered-in.ts'
import { LOCATIONS } from '../../taxonomies/place-kind.ts'
import { listTermsById } from '../../taxonomies/term-lookup-store.ts'
import { listContentsSince } from '../../versions/change-since-store.ts'
import type { ContentChange } from '../changes/change-store.ts'
import type { Change } from './change-of.ts'
import type { LiveRecord } from './live-record.ts'

type Changed = ContentChange & { change: Change }

/**
 * Finds the services whose only change says whether they are offered in places added since the live release. Adding the
 * places made it, and publishing them includes it. Returns the IDs of the services.
 */
export async function findConsequences(
  db: Db,
  { position, ahead }: LiveRecord,
  changes: readonly Changed[],
): Promise<ReadonlySet<string>> {
  const idsOf = (subject: ContentChange['subject'], change: Change) =>
    changes
      .filter((one) => one.subject === subject && one.change === change)
      .map(({ subjectId }) => Number(subjectId))
  const [added, edited] = [idsOf('term', 'added'), idsOf('entry', 'edited')]
  if (added.length === 0 || edited.length === 0) return new Set()
  const since = position.savedAt
  const published = ahead
    .filter(({ subject }) => subject === 'term')
    .map(({ subjectId }) => Number(subjectId))
  const { pending, all } = await findNewPlaces(db, { added, published, since })
  const found = new Set<string>()
  for (const [id, { now, before }] of await listContentsSince(db, 'entry', { ids: edited, since })) {
    const slugs = before ? placesOfChange(before as EntrySnapshot, now as EntrySnapshot) : []
    if (slugs.some((slug) => pending.has(slug)) && slugs.every((slug) => all.has(slug))) found.add(`${id}`)
  }
  return found
}

// The slugs of places added since a time: those that aren't live yet, and all.
async function findNewPlaces(
  db: Db,
  { added, published, since }: { added: readonly number[]; published: readonly number[]; since: string },
) {
  const versions = published.length > 0 ? await listContentsSince(db, 'term', { ids: published, since }) : []
  const alone = [...versions].filter(([, { before }]) => before === undefined).map(([id]) => id)
  const places = [...(await listTermsById(db, [...added, ...alone]))].filter(
    ([, { taxonomySlug }]) => taxonomySlug === LOCATIONS,
  )
  const pending = places.filter(([id]) => added.includes(id))
  const slugsOf = (some: typeof places) => new Set(some.map(([, { slug }]) => slug))
  return { pending: slugsOf(pending), all: slugsOf(places) }
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
