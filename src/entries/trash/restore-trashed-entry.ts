import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import {
  deleteTrashed,
  findTrashed,
  listRemovedByFile,
  type TrashSubject,
} from '../../versions/trash-store.ts'
import type { Saving } from '../../versions/version.ts'
import { unlessTaken } from '../addresses/check-address.ts'
import { checkPlacement, checkSharedAddresses } from '../editing/check-entry.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import { findEntryById } from '../entry-lookup-store.ts'
import { type Entry, findEntryIds, pathsColumn, toEntry } from '../entry-store.ts'
import { putGeneratedBack } from '../offers/follow-offers.ts'
import { isOffered } from '../offers/inherits-all.ts'
import { loadPlaces } from '../offers/load-places.ts'
import { alignLocationServiceSlugs } from '../offers/location-service-store.ts'
import { offeredIn, offerIn } from '../offers/offer-service.ts'
import { withOffer } from '../offers/offered-in.ts'
import { insertRemovedPages } from '../offers/removed-page-store.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import { type ContentType, findContentTypeById } from '../types/content-type-store.ts'
import { putEntryRowsBack } from './entry-rows-store.ts'
import { followRestored, type RestoredRows } from './follow-restored.ts'
import { findIdsAmong } from './term-links-store.ts'
import type { TrashedEntry } from './trash-entry.ts'
import { findTrashedTermIds } from './trash-term.ts'

/** An item restored from the trash. */
export interface Restored extends TrashSubject {
  /** The entry's type, or the term's taxonomy. */
  typeSlug: string
  name: string
}

/**
 * Restores an entry from the trash under its ID, with everything deleted with it. Refused if another entry has its
 * address or redirects from one of its former addresses now, or if its type, service, or place is gone. Entries that
 * referred to it do so again, unless they have changed.
 */
export function restoreTrashedEntry(
  db: Kysely<Schema>,
  trashId: number,
  { now, by }: SavingEntry,
): Promise<Outcome<Restored, AdminProblem>> {
  return unlessTaken(db, async (trx) => {
    const found = await findTrashed(trx, trashId)
    if (found?.trashed.subject.kind !== 'entry') return { kind: 'not_found' }
    const content = found.content as TrashedEntry
    const [row] = content.rows.entries
    if (!row) return { kind: 'not_found' }
    const entry = toEntry({ ...row, service_entry_id: null, location_term_id: null })
    const type = await findContentTypeById(trx, entry.typeId)
    const problems = type ? await findProblems(trx, type, entry, content) : [gone('trash_type_gone')]
    if (!type || problems.length > 0) return { kind: 'invalid', problems }
    const saving = { now: now.toISOString(), by }
    await putBack(trx, { type, entry, content, deletedAt: found.trashed.deletedAt }, saving)
    await deleteTrashed(trx, trashId)
    return {
      kind: 'saved',
      value: { ...found.trashed.subject, typeSlug: type.slug, name: found.trashed.name },
    }
  })
}

/**
 * Puts back the entries of a type that a sync removed and whose files return, with everything deleted with them; returns
 * their number. An entry that can't be restored stays in the trash. Call it in the transaction of a sync, which creates
 * their other local pages and checks addresses.
 */
export async function putReturnedEntriesBack(
  db: Db,
  type: ContentType,
  slugs: readonly string[],
  saving: Saving,
): Promise<number> {
  const present = await findEntryIds(db, type.id, slugs)
  const missing = new Set(slugs.filter((slug) => !present.has(slug)))
  if (missing.size === 0) return 0
  const returned: RestoredRows[] = []
  for (const trashed of await listRemovedByFile(db, 'entry', type.slug)) {
    const content = trashed.content as TrashedEntry
    const [row] = content.rows.entries
    if (row?.type_id !== type.id || !missing.has(row.slug)) continue
    const entry = toEntry({ ...row, service_entry_id: null, location_term_id: null })
    // The file may no longer redirect from addresses that another file took over.
    const [, ...parts] = await keepPossible(db, content.rows.entries)
    const problems = await findPlacementProblems(db, type, entry, content)
    if (problems.length > 0 || (await checkRedirects(db, parts)).length > 0) continue
    returned.push(await putRowsBack(db, content, { ...saving, deletedAt: trashed.deletedAt }))
    await insertRemovedPages(db, content.generated ?? [])
    await deleteTrashed(db, trashed.id)
    missing.delete(row.slug)
  }
  await followRestored(db, returned, saving)
  return returned.length
}

function gone(
  code: 'trash_type_gone' | 'trash_service_gone' | 'trash_place_gone' | 'trash_page_place_gone',
): AdminProblem {
  return { path: [], code }
}

async function findProblems(
  db: Db,
  type: ContentType,
  entry: Entry,
  content: TrashedEntry,
): Promise<AdminProblem[]> {
  const placement = await findPlacementProblems(db, type, entry, content)
  return [...placement, ...(await checkRedirects(db, await keepPossible(db, content.rows.entries)))]
}

async function findPlacementProblems(
  db: Db,
  type: ContentType,
  entry: Entry,
  { rows }: TrashedEntry,
): Promise<AdminProblem[]> {
  if (rulesOf(type.slug).inherits) {
    const { service_entry_id: service, location_term_id: place } = entry.data
    if (!(await findEntryById(db, Number(service)))) return [gone('trash_service_gone')]
    if (!(await findIdsAmong(db, 'taxonomy_terms', [Number(place)])).has(Number(place)))
      return [gone('trash_place_gone')]
  }
  const [, ...parts] = rows.entries
  const written = parts.filter(({ is_generated }) => !is_generated)
  const trashed = written.length > 0 ? await findTrashedTermIds(db) : new Set()
  if (written.some((row) => trashed.has(placeOf(row)))) return [gone('trash_page_place_gone')]
  return checkPlacement(db, type, { slug: entry.slug, status: entry.status, id: undefined })
}

/** Checks that no other entry redirects from an address of these rows now. */
export function checkRedirects(db: Db, rows: StoredRows): Promise<AdminProblem[]> {
  const redirectFrom = rows.flatMap(({ redirect_from_json: paths }) => pathsColumn.decode(paths ?? '[]'))
  return checkSharedAddresses(db, { redirectFrom }, undefined)
}

interface Restoring {
  type: ContentType
  entry: Entry
  content: TrashedEntry
  deletedAt: string
}

async function putBack(
  db: Db,
  { type, entry, content, deletedAt }: Restoring,
  saving: Saving,
): Promise<void> {
  await followRestored(db, [await putRowsBack(db, content, { ...saving, deletedAt })], saving)
  await putGeneratedBack(db, content.generated ?? [], saving)
  const { afterSave, inherits } = rulesOf(type.slug)
  if (inherits) await offerAgain(db, entry, saving)
  await afterSave?.(db, { id: entry.id, before: undefined }, saving)
}

async function putRowsBack(
  db: Db,
  { rows, mentions }: TrashedEntry,
  { deletedAt, ...saving }: Saving & { deletedAt: string },
): Promise<RestoredRows> {
  const kept = await keepPossible(db, rows.entries)
  const ids = new Set(kept.map(({ id }) => id))
  const links = await putEntryRowsBack(
    db,
    {
      entries: kept,
      links: rows.links.filter(({ entry_id }) => ids.has(entry_id)),
      formerNames: rows.formerNames.filter(({ entry_id }) => entry_id !== null && ids.has(entry_id)),
    },
    { ...saving, deletedAt },
  )
  const [own, ...parts] = kept
  // A place may have another slug now.
  if (own && parts.length > 0) await alignLocationServiceSlugs(db, { serviceId: own.id }, saving)
  return { ids, links, mentions }
}

type StoredRows = TrashedEntry['rows']['entries']

function placeOf(row: StoredRows[number]): number {
  return Number(JSON.parse(row.data_json).location_term_id)
}

// The place may be gone or may have another page now.
async function keepPossible(db: Db, [own, ...parts]: StoredRows): Promise<StoredRows> {
  if (!own) return []
  const places = await findIdsAmong(db, 'taxonomy_terms', parts.map(placeOf))
  const [type] = parts
  const slugs = parts.map(({ slug }) => slug)
  const taken = type ? await findEntryIds(db, type.type_id, slugs) : new Map()
  return [own, ...parts.filter((row) => places.has(placeOf(row)) && !taken.has(row.slug))]
}

// Its service's patterns may have changed in the meantime.
async function offerAgain(db: Db, entry: Entry, saving: Saving): Promise<void> {
  const service = await findEntryById(db, Number(entry.data.service_entry_id))
  const places = await loadPlaces(db)
  const term = places.byId.get(Number(entry.data.location_term_id))
  if (!service || !term || !entry.isGenerated || (await isOffered(db, entry.data))) return
  await offerIn(db, service, withOffer(offeredIn(service), { term, reach: 'place' }, places), saving)
}
