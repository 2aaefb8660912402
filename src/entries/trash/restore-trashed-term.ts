import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { listTaxonomies, type Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import { putTermRowsBack } from '../../taxonomies/term-rows-store.ts'
import type { TermTree } from '../../taxonomies/term-tree.ts'
import {
  deleteTrashed,
  findTrashed,
  listRemovedByFile,
  listTrashedNames,
} from '../../versions/trash-store.ts'
import { refuseTakenAddresses, unlessTaken } from '../addresses/check-address.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import { putGeneratedBack } from '../offers/follow-offers.ts'
import { alignLocationServiceSlugs, listOffersAt, publishedSlugs } from '../offers/location-service-store.ts'
import { insertRemovedPages } from '../offers/removed-page-store.ts'
import { followLocations, loadTaxonomy } from '../terms/change-terms.ts'
import { LOCATION_SERVICES } from '../types/builtin/slugs.ts'
import { findContentType } from '../types/content-type-store.ts'
import { type EntryRows, putEntryRowsBack } from './entry-rows-store.ts'
import { followRestored, type RestoredRows } from './follow-restored.ts'
import { checkRedirects, type Restored } from './restore-trashed-entry.ts'
import { findIdsAmong, putTermLinksBack } from './term-links-store.ts'
import type { TrashedTerm } from './trash-term.ts'

/**
 * Restores a place or category from the trash under its ID, with everything deleted with it. Services with matching
 * patterns are offered there again. Refused if a slug, address, or former address is taken now, or if its parent, its taxonomy, or
 * the service of a local page is gone.
 */
export function restoreTrashedTerm(
  db: Kysely<Schema>,
  trashId: number,
  { now }: Pick<SavingEntry, 'now'>,
): Promise<Outcome<Restored, AdminProblem>> {
  return unlessTaken(db, async (trx) => {
    const found = await findTrashed(trx, trashId)
    if (found?.trashed.subject.kind !== 'term') return { kind: 'not_found' }
    const content = found.content as TrashedTerm
    const loaded = await loadOwnTaxonomy(trx, content)
    const problems = loaded ? await findProblems(trx, content, loaded) : [problemOf('trash_taxonomy_gone')]
    if (!loaded || problems.length > 0) return { kind: 'invalid', problems }
    await putBack(trx, content, loaded, now)
    await deleteTrashed(trx, trashId)
    const { subject, name } = found.trashed
    return { kind: 'saved', value: { ...subject, typeSlug: loaded.taxonomy.slug, name } }
  })
}

/**
 * Puts back the terms of a taxonomy that a sync removed and that return to its file, with everything deleted with them;
 * returns the number of items. A term that can't be restored stays in the trash. Call it in the transaction of a sync,
 * which creates the other local pages there and checks addresses.
 */
export async function putReturnedTermsBack(
  db: Db,
  slug: string,
  slugs: readonly string[],
  { now }: { now: string },
): Promise<number> {
  const found = await loadTaxonomy(db, slug)
  const missing = new Set(slugs.filter((one) => !found?.tree.bySlug.has(one)))
  if (missing.size === 0) return 0
  const returned: RestoredRows[] = []
  for (const trashed of await listRemovedByFile(db, 'term', slug)) {
    const content = trashed.content as TrashedTerm
    // The tree has the terms restored before.
    const loaded = await loadOwnTaxonomy(db, content)
    if (!loaded || !content.terms.some((term) => missing.has(term.slug))) continue
    if ((await findProblems(db, content, loaded)).length > 0) continue
    const rows = await putRowsBack(db, content, { now })
    returned.push(rows)
    if (rows.ids.size > 0) await alignPages(db, content.terms, { now })
    await insertRemovedPages(db, content.generated ?? [])
    await deleteTrashed(db, trashed.id)
  }
  await followRestored(db, returned, { now })
  return returned.length
}

interface Loaded {
  taxonomy: Taxonomy
  tree: TermTree
}

// By ID, because another taxonomy may have the slug now.
async function loadOwnTaxonomy(db: Db, { terms }: TrashedTerm): Promise<Loaded | undefined> {
  const own = (await listTaxonomies(db)).find(({ id }) => id === terms[0]?.taxonomy_id)
  return own && loadTaxonomy(db, own.slug)
}

async function findProblems(
  db: Db,
  { terms, pages }: TrashedTerm,
  { taxonomy, tree }: Loaded,
): Promise<AdminProblem[]> {
  const above = terms[0]?.parent_id ?? null
  if (above !== null && !tree.byId.has(above)) return [problemOf('trash_parent_gone')]
  const hasLevels = terms.some(({ parent_id }) => parent_id !== null)
  if (hasLevels && !taxonomy.isHierarchical) return [problemOf('no_levels')]
  const owner = terms.map(({ slug }) => tree.bySlug.get(slug)).find(Boolean)
  if (owner) return [{ path: ['slug'], code: 'term_slug_taken', params: { by: owner.name } }]
  const trashed = await listTrashedNames(db, { kind: 'entry', ids: pages.entries.map(serviceOf) })
  if (trashed.size > 0) return [problemOf('trash_page_service_gone')]
  return checkRedirects(db, (await keepOffered(db, pages)).entries)
}

function problemOf(
  code: 'trash_taxonomy_gone' | 'trash_parent_gone' | 'trash_page_service_gone' | 'no_levels',
): AdminProblem {
  return { path: [], code }
}

async function putBack(db: Db, content: TrashedTerm, { taxonomy, tree }: Loaded, now: Date) {
  const clock = { now: now.toISOString() }
  const rows = await putRowsBack(db, content, clock)
  await followRestored(db, [rows], clock)
  if (rows.ids.size > 0) await placePages(db, content.terms, clock)
  await putGeneratedBack(db, content.generated ?? [], clock)
  await followLocations(db, taxonomy, tree, now)
}

async function putRowsBack(
  db: Db,
  { terms, links, pages }: TrashedTerm,
  clock: { now: string },
): Promise<RestoredRows> {
  await putTermRowsBack(db, terms)
  const kept = await keepOffered(db, pages)
  const ofPages = await putEntryRowsBack(db, kept, clock)
  const ofEntries = await putTermLinksBack(db, links)
  return { ids: new Set(kept.entries.map(({ id }) => id)), links: [...ofPages, ...ofEntries], mentions: [] }
}

// A permanently deleted service has no pages.
async function keepOffered(db: Db, { entries, links, formerNames }: EntryRows): Promise<EntryRows> {
  const services = await findIdsAmong(db, 'content_entries', entries.map(serviceOf))
  const kept = entries.filter((row) => services.has(serviceOf(row)))
  const ids = new Set(kept.map(({ id }) => id))
  return {
    entries: kept,
    links: links.filter(({ entry_id }) => ids.has(entry_id)),
    formerNames: formerNames.filter(({ entry_id }) => entry_id !== null && ids.has(entry_id)),
  }
}

// Their services may have other slugs now.
async function alignPages(db: Db, terms: TrashedTerm['terms'], clock: { now: string }): Promise<void> {
  for (const { id } of terms) await alignLocationServiceSlugs(db, { locationId: id }, clock)
}

async function placePages(db: Db, terms: TrashedTerm['terms'], clock: { now: string }): Promise<void> {
  await alignPages(db, terms, clock)
  const pairs = await findContentType(db, LOCATION_SERVICES)
  const offers = await listOffersAt(
    db,
    terms.map(({ id }) => id),
  )
  if (pairs) await refuseTakenAddresses(db, pairs, publishedSlugs(offers))
}

function serviceOf({ data_json }: EntryRows['entries'][number]): number {
  return Number(JSON.parse(data_json).service_entry_id)
}
