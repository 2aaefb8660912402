import type { Db } from '../../db/schema.ts'
import { compareSnapshots } from '../../entries/history/compare-snapshots.ts'
import type { EntrySnapshot } from '../../entries/history/entry-snapshot.ts'
import { loadPlaces } from '../../entries/offers/load-places.ts'
import { offeredIn } from '../../entries/offers/offer-service.ts'
import { includesPlace, placesOf, readPattern } from '../../entries/offers/offered-in.ts'
import type { TermNode, TermTree } from '../../taxonomies/term-tree.ts'
import { type FindContentAt, loadContentsAt } from '../../versions/content-at-store.ts'
import type { LiveSite } from './live-site.ts'
import { listServicesSaved, listTermsAdded } from './log-condition-store.ts'

/** Maximum number of saved services whose patterns are compared. */
const MOST_COMPARED = 500

/** The live release, as far as it tells which places visitors see. */
export type LivePart = Pick<LiveSite, 'position' | 'ahead'>

/** The place patterns of a service: the live ones, and those to compare with them. */
interface Patterns {
  serviceId: number
  before: readonly string[]
  after: readonly string[]
}

/**
 * Finds those of these services that changed only because places were added: in their place patterns, which offer them
 * in the same live places as before. Publishing the places includes the new patterns. `added` has the IDs of all terms
 * added since the live release. Takes two queries for any number of services, and none if no place was added.
 */
export async function findUnseenOffers(
  db: Db,
  live: LivePart,
  { serviceIds, added }: { serviceIds: readonly number[]; added: ReadonlySet<number> },
): Promise<ReadonlySet<number>> {
  if (serviceIds.length === 0 || added.size === 0) return new Set()
  const contentAt = await loadLiveContents(db, live, serviceIds)
  const compared = serviceIds.flatMap((serviceId) => {
    const before = contentAt(serviceId, liveTimeOf(live, serviceId)) as EntrySnapshot | undefined
    const after = contentAt(serviceId) as EntrySnapshot | undefined
    return before && after && isOnlyOffers(before, after)
      ? [{ serviceId, before: offeredIn(before), after: offeredIn(after) }]
      : []
  })
  if (compared.length === 0) return new Set()
  const { isSeen } = compareOffers(live, { contentAt, added, tree: await loadPlaces(db) })
  return new Set(compared.filter((one) => !isSeen(one)).map(({ serviceId }) => serviceId))
}

/** Finds them among all services saved since the live release. */
export async function listUnseenOffers(db: Db, live: LivePart): Promise<ReadonlySet<number>> {
  const added = await listTermsAdded(db, live)
  if (added.size === 0) return new Set()
  const serviceIds = await listServicesSaved(db, live, { limit: MOST_COMPARED })
  return findUnseenOffers(db, live, { serviceIds, added })
}

/** Compares where services are offered with what visitors see. */
export interface ComparedOffers {
  /** Returns whether a service would appear in places of the live site, or disappear from them. */
  isSeen(patterns: Patterns): boolean
  /** Returns the new patterns without those that are only about places where visitors would see no difference. */
  listSeen(patterns: Patterns): string[]
}

/** Opens a comparison of where these services are offered. */
export async function openOffers(
  db: Db,
  live: LivePart,
  serviceIds: readonly number[],
): Promise<ComparedOffers> {
  const contentAt = await loadLiveContents(db, live, serviceIds)
  const added = await listTermsAdded(db, live)
  return compareOffers(live, { contentAt, added, tree: await loadPlaces(db) })
}

// The contents of the services as they are, and at the times of everything that is live and may concern them.
function loadLiveContents(db: Db, { position, ahead }: LivePart, serviceIds: readonly number[]) {
  const ids = new Set(serviceIds.map(String))
  const times = ahead.filter(({ subject, subjectId }) => subject === 'term' || ids.has(subjectId))
  return loadContentsAt(db, 'entry', {
    ids: serviceIds,
    times: [position.savedAt, ...times.map(({ savedAt }) => savedAt)],
  })
}

function isOnlyOffers(before: EntrySnapshot, after: EntrySnapshot): boolean {
  const changes = compareSnapshots(before, after, [])
  return changes.length > 0 && changes.every(({ key }) => 'field' in key && key.field === 'offered_in')
}

// The time up to which the saves of a service are live.
function liveTimeOf({ position, ahead }: LivePart, serviceId: number): string {
  const own = ahead.filter(
    ({ subject, subjectId }) =>
      (subject === 'entry' || subject === 'entry_terms') && subjectId === `${serviceId}`,
  )
  return [position.savedAt, ...own.map(({ savedAt }) => savedAt)].toSorted().at(-1) ?? position.savedAt
}

interface Compared {
  tree: TermTree
  /** The IDs of the terms added since the live release. */
  added: ReadonlySet<number>
  contentAt: FindContentAt
}

function compareOffers(live: LivePart, { tree, added, contentAt }: Compared): ComparedOffers {
  const terms = live.ahead.filter(({ subject }) => subject === 'term')
  const published = new Map(terms.map(({ subjectId, savedAt }) => [Number(subjectId), savedAt]))
  const isPending = ({ id }: TermNode) => added.has(id) && !published.has(id)

  // A new place that was published on its own brought the patterns of that time.
  function patternsAt(place: TermNode, { serviceId, before }: Patterns): readonly string[] {
    const time = added.has(place.id) ? published.get(place.id) : undefined
    if (time === undefined || time < liveTimeOf(live, serviceId)) return before
    const content = contentAt(serviceId, time)
    return content === undefined ? before : offeredIn(content as EntrySnapshot)
  }

  function differsAt(place: TermNode, patterns: Patterns): boolean {
    if (isPending(place)) return false
    return includesPlace(patternsAt(place, patterns), place) !== includesPlace(patterns.after, place)
  }

  return {
    isSeen(patterns) {
      const changed = listChangedPatterns(patterns)
      const reached = changed?.map((pattern) => reachOf(pattern, tree))
      // A place that is gone, or another order.
      if (!reached || reached.includes(undefined)) return true
      return reached.some((places) => places?.some((place) => differsAt(place, patterns)))
    },
    listSeen(patterns) {
      const changed = new Set(listChangedPatterns(patterns))
      const isHidden = (pattern: string) =>
        reachOf(pattern, tree)?.every((place) => added.has(place.id) && !differsAt(place, patterns))
      return patterns.after.filter((pattern) => !changed.has(pattern) || !isHidden(pattern))
    },
  }
}

// Undefined if those that stay are in another order.
function listChangedPatterns({ before, after }: Patterns): string[] | undefined {
  const kept = before.filter((pattern) => after.includes(pattern))
  if (after.filter((pattern) => before.includes(pattern)).join('\n') !== kept.join('\n')) return undefined
  return [...before, ...after].filter((pattern) => !kept.includes(pattern))
}

// Undefined for a place that is gone.
function reachOf(pattern: string, tree: TermTree): TermNode[] | undefined {
  const read = readPattern(pattern)
  const term = read && tree.bySlug.get(read.slug)
  return term && placesOf(term, read.reach)
}
