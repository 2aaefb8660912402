import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { type EntryState, type LiveFacts, stateOf } from './entry-state.ts'
import type { LiveSite } from './live-site.ts'
import { listChangedAmong } from './state-store.ts'
import { findUnseenOffers } from './unseen-offers.ts'

type Schedule = Pick<Entry, 'status' | 'publishAt' | 'unpublishAt'>

/** An entry whose state is requested. */
interface StatedEntry extends Schedule {
  id: number
  createdAt: string
  /** For a local page, which is shown only with its service. */
  service?: (Schedule & { id: number }) | undefined
  placeId?: number | null | undefined
}

interface Stating {
  type: ContentType
  entries: readonly StatedEntry[]
  /** The IDs of services that count as live, though saved; found if undefined. */
  unseen?: ReadonlySet<number> | undefined
}

/** Returns the states of entries of a type, by ID, in a few queries for any number. */
export async function loadStates(
  db: Db,
  site: LiveSite | 'unknown' | undefined,
  { type, entries, now, unseen }: Stating & { now: Date },
): Promise<Map<number, EntryState>> {
  const factsOf = await loadFacts(db, site, { type, entries, unseen })
  return new Map(entries.map((entry) => [entry.id, stateOf(withService(entry), factsOf(entry), now)]))
}

async function loadFacts(
  db: Db,
  site: LiveSite | 'unknown' | undefined,
  { type, entries, unseen }: Stating,
): Promise<(entry: StatedEntry) => LiveFacts> {
  if (site === undefined || site === 'unknown' || entries.length === 0)
    return () => ({ isLive: site === undefined ? false : undefined, isChanged: false })
  const isChanged = await findChanged(db, site, { type, entries, unseen })
  const live = site.listLive(entries.map(({ id }) => id))
  return (entry) => ({
    isLive: isInLedger(type) ? live.has(entry.id) : wasShown(entry, site),
    isChanged: isChanged(entry),
  })
}

async function findChanged(db: Db, site: LiveSite, { type: { slug }, entries, ...known }: Stating) {
  const entryIds = entries.flatMap(({ id, service }) => (service ? [id, service.id] : [id]))
  const termIds = entries.flatMap(({ placeId }) => placeId ?? [])
  const latest = await listChangedAmong(db, site, {
    entryIds: [...new Set(entryIds)],
    termIds: [...new Set(termIds)],
  })
  const published = new Map(site.ahead.map((one) => [keyOf(one.subject, one.subjectId), one.changeId]))
  const changed = latest.filter(
    ({ subject, subjectId, changeId }) => (published.get(keyOf(subject, subjectId)) ?? 0) < changeId,
  )
  const keys = new Set(changed.map(({ subject, subjectId }) => keyOf(subject, subjectId)))
  const isSaved = (id: number) => keys.has(keyOf('entry', id)) || keys.has(keyOf('entry_terms', id))
  const serviceIds = entries.flatMap(({ id, service }) => service?.id ?? (rulesOf(slug).parts ? id : []))
  const saved = [...new Set(serviceIds)].filter(isSaved)
  const added = latest.filter(({ subject, isAdded }) => subject === 'term' && isAdded)
  const unseen =
    known.unseen ??
    (await findUnseenOffers(db, site, {
      serviceIds: saved,
      added: new Set(added.map(({ subjectId }) => Number(subjectId))),
    }))
  const isEntryChanged = (id: number) => isSaved(id) && !unseen.has(id)
  return ({ id, service, placeId }: StatedEntry) =>
    isEntryChanged(id) ||
    Boolean(service && isEntryChanged(service.id)) ||
    keys.has(keyOf('term', placeId ?? 0))
}

function keyOf(subject: string, id: string | number): string {
  return `${subject}:${id}`
}

// The ledger has a source for each entry that others refer to.
function isInLedger({ slug, isRoutable }: ContentType): boolean {
  return isRoutable || rulesOf(slug).namedBy !== undefined
}

// A site's own pages show entries of other types, which have no record of their own.
function wasShown(entry: StatedEntry, { position, shownAt }: LiveSite): boolean {
  return entry.createdAt <= position.savedAt && stateOf(entry, NOWHERE, new Date(shownAt)) === 'pending'
}

const NOWHERE: LiveFacts = { isLive: false, isChanged: false }

function withService({ service, ...entry }: StatedEntry): Schedule {
  if (!service) return entry
  const later = [entry.publishAt, service.publishAt].filter((one) => one !== null).sort()
  const earlier = [entry.unpublishAt, service.unpublishAt].filter((one) => one !== null).sort()
  return {
    status: entry.status === 'published' && service.status === 'published' ? 'published' : 'draft',
    publishAt: later.at(-1) ?? null,
    unpublishAt: earlier[0] ?? null,
  }
}
