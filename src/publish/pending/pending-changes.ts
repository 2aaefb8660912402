import type { Db } from '../../db/schema.ts'
import { countUses } from '../../pictures/picture-use-store.ts'
import { listNamesOfSite } from '../../site/pictures/shown-pictures.ts'
import type { SettingsArea } from '../../site/settings/settings-areas.ts'
import { listUnpublishedAreas } from '../states/changed-settings.ts'
import { findUnseenOffers } from '../states/unseen-offers.ts'
import { type Change, changeOf } from './change-of.ts'
import { loadNamed, type NamedChange, nameChange, type PendingSubject } from './describe-change.ts'
import { findEditors } from './find-editors.ts'
import { findOfferedServices } from './find-offered-services.ts'
import { findShownAgain } from './find-shown-again.ts'
import { type LiveRecord, withLiveRecord } from './live-record.ts'
import { type LoggedSubject, listLoggedSubjects } from './logged-subject-store.ts'

/** Maximum number of subjects listed; with more, everything is published together. */
const MOST_LISTED = 500

/** A subject saved since the live release. */
export interface UnpublishedChange {
  subject: PendingSubject
  subjectId: string
  change: Change
  /** The first and the latest row of the change log about it. */
  firstChangeId: number
  changeId: number
  /** UTC text. */
  savedAt: string
}

/** The same with its name and the person who saved it. */
export interface PendingChange extends UnpublishedChange, NamedChange {
  /** Undefined for changes from files or commands. */
  savedBy: string | undefined
  /** For a new place: the names of the services offered there. */
  services: readonly string[] | undefined
  /** For the settings: the parts that differ from the live ones, if known. */
  areas: readonly SettingsArea[] | undefined
}

/** Lists the unpublished changes. */
export interface Pending<One = PendingChange> {
  /** Newest first. */
  changes: One[]
  /** True if there are more than listed. */
  hasMore: boolean
}

/**
 * Lists what was saved since the live release and visitors would see. Local pages of a new place, and where services are
 * offered in it, are part of the place's change. Undefined if the live release is unknown.
 */
export function loadPending(
  db: Db,
  { dataDir, now }: { dataDir: string; now: Date },
): Promise<Pending | undefined> {
  return withLiveRecord(dataDir, async (live) => {
    if (!live) return undefined
    const { changes, hasMore } = await listChanges(db, live, now)
    return { changes: await describeAll(db, live, changes), hasMore }
  })
}

/** Unpublished changes without names. */
interface Unpublished extends Pending<UnpublishedChange> {
  /** Number of services saved only because a place was added, which are left out. */
  unseen: number
}

/**
 * Lists the same without names: in one query where no pictures, forms, or places changed, and in none if nothing was saved.
 */
export function listUnpublished(
  db: Db,
  { dataDir, now, isChanged = true }: { dataDir: string; now: Date; isChanged?: boolean },
): Promise<Unpublished | undefined> {
  return withLiveRecord(dataDir, async (live) => {
    if (live && !isChanged) return { changes: [], hasMore: false, unseen: 0 }
    return live && listChanges(db, live, now)
  })
}

/** Number of unpublished changes. */
export interface SavedChanges {
  count: number
  /** True if there are more than are listed. */
  hasMore: boolean
}

/** The same with the newest of them. */
export interface NewestChanges extends SavedChanges {
  newest: PendingChange[]
}

/** Counts what `loadPending` lists, with the newest of it; undefined if the live release is unknown. */
export async function findNewestChanges(
  db: Db,
  { limit, ...options }: { dataDir: string; now: Date; limit: number },
): Promise<NewestChanges | undefined> {
  const found = await loadPending(db, options)
  if (!found) return undefined
  const { changes, hasMore } = found
  return { count: changes.length, hasMore, newest: changes.slice(0, limit) }
}

async function listChanges(db: Db, live: LiveRecord, now: Date): Promise<Unpublished> {
  const logged = await listLoggedSubjects(db, live, { limit: MOST_LISTED + 1, now })
  const saved = joinTerms(logged.slice(0, MOST_LISTED).filter((change) => !live.hasPublished(change)))
  const again = await findShownAgain(db, live, saved)
  const used = await listUsed(
    db,
    saved.filter(({ subject }) => subject === 'picture').map(({ subjectId }) => subjectId),
  )
  const changes = saved.flatMap((one) => {
    const { subject, subjectId, firstChangeId, changeId, savedAt, entry } = one
    const change = again.has(`${subject}:${subjectId}`) ? undefined : changeOf(one, { live, now })
    const isSeen = subject !== 'picture' || used.has(subjectId)
    return change && isSeen
      ? [{ ...{ subject, subjectId, firstChangeId, changeId, savedAt, change }, isService: entry?.isService }]
      : []
  })
  const services = changes.filter(({ isService, change }) => isService && change === 'edited')
  const added = logged.filter(({ subject, isAdded }) => subject === 'term' && isAdded)
  const unseen = await findUnseenOffers(db, live, {
    serviceIds: services.map(({ subjectId }) => Number(subjectId)),
    added: new Set(added.map(({ subjectId }) => Number(subjectId))),
  })
  const listed = changes.flatMap(({ isService, ...change }) =>
    isService && unseen.has(Number(change.subjectId)) ? [] : [change],
  )
  return { changes: listed, hasMore: logged.length > MOST_LISTED, unseen: unseen.size }
}

type Saved = LoggedSubject & { subject: PendingSubject }

// An entry's terms are part of it.
function joinTerms(logged: readonly LoggedSubject[]): Saved[] {
  const bySubject = new Map<string, Saved>()
  for (const change of logged) {
    if (change.subject === 'form_file') continue
    const subject = change.subject === 'entry_terms' ? 'entry' : change.subject
    const key = `${subject}:${change.subjectId}`
    const newer = bySubject.get(key)
    const firstChangeId = Math.min(change.firstChangeId, newer?.firstChangeId ?? change.firstChangeId)
    bySubject.set(key, { ...(newer ?? { ...change, subject }), firstChangeId })
  }
  return [...bySubject.values()]
}

async function listUsed(db: Db, pictures: readonly string[]): Promise<Set<string>> {
  if (pictures.length === 0) return new Set()
  const uses = await countUses(db, pictures)
  const ofSite = await listNamesOfSite(db)
  return new Set(pictures.filter((name) => uses.has(name) || ofSite.has(name)))
}

async function describeAll(
  db: Db,
  live: LiveRecord,
  changes: readonly UnpublishedChange[],
): Promise<PendingChange[]> {
  const named = await loadNamed(db, changes)
  const editorOf = await findEditors(db, changes)
  const described = changes.map((change) => ({ ...change, ...nameChange(change, named, live) }))
  const offered = await findOfferedServices(db, described)
  const hasSettings = changes.some(({ subject }) => subject === 'setting')
  const areas = hasSettings ? await listUnpublishedAreas(db, live) : undefined
  return described.map((change) => {
    const editor = editorOf(change)
    // Older than the live version: something else has changed it since.
    const savedBy = editor && editor.at >= live.position.savedAt ? editor.email : undefined
    return {
      ...change,
      savedBy,
      services: change.subject === 'term' ? offered.get(change.subjectId) : undefined,
      areas: change.subject === 'setting' ? areas : undefined,
    }
  })
}
