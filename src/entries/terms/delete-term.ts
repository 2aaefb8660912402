import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import { deleteTerms, type Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import { countLinksOfTerms } from '../../taxonomies/term-change-store.ts'
import { descendantsOf, type TermNode, type TermTree } from '../../taxonomies/term-tree.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import type { Saving } from '../../versions/version.ts'
import type { SavingEntry } from '../editing/save-entry.ts'
import { deleteEntries } from '../entry-store.ts'
import { entriesOf } from '../meanings/meaning.ts'
import { listOffersAt, type Offer } from '../offers/location-service-store.ts'
import { offeredIn } from '../offers/offer-service.ts'
import { locationOfPattern } from '../offers/offered-in.ts'
import { trashTerm } from '../trash/trash-term.ts'
import { SERVICES } from '../types/builtin/slugs.ts'
import { followLocations, loadTaxonomy } from './change-terms.ts'

/** Everything that is deleted with a term (§2.7, §2.8). */
export interface TermRemoval {
  taxonomy: Taxonomy
  term: TermNode
  /** All terms below it. */
  below: TermNode[]
  /** Links from entries to it and to those below. */
  links: number
  /** Location pages there. */
  locationServices: Offer[]
  /** Services whose place patterns refer to it or to one below it. */
  namedBy: { id: number; title: string }[]
}

/** Lists everything that is deleted with a term, without writing anything; undefined if the term doesn't exist. */
export async function planTermRemoval(
  db: Db,
  slug: string,
  termId: number,
): Promise<TermRemoval | undefined> {
  const found = await loadTaxonomy(db, slug)
  const term = found?.tree.byId.get(termId)
  return found && term && describeRemoval(db, found.taxonomy, term)
}

/** Moves a term to the trash with everything that `planTermRemoval` lists. Undefined if there is none. */
export function deleteTerm(
  db: Kysely<Schema>,
  slug: string,
  termId: number,
  { now, by }: SavingEntry,
): Promise<TermRemoval | undefined> {
  return changeContent(db, async (trx) => {
    const found = await loadTaxonomy(trx, slug)
    const term = found?.tree.byId.get(termId)
    if (!found || !term) return undefined
    const removal = await describeRemoval(trx, found.taxonomy, term)
    const saving = { now: now.toISOString(), by }
    await trashTerm(trx, removal, () => remove(trx, removal, found.tree, now), saving)
    return removal
  })
}

/**
 * Moves terms that are no longer in a content file to the trash, each with those below it. Call it inside a
 * transaction.
 */
export async function trashTerms(
  db: Db,
  slug: string,
  ids: readonly number[],
  saving: Saving,
): Promise<void> {
  const found = await loadTaxonomy(db, slug)
  if (!found) return
  const gone = new Set(ids)
  for (const id of ids) {
    const term = found.tree.byId.get(id)
    if (!term || (term.parentId !== null && gone.has(term.parentId))) continue
    const below = descendantsOf(term)
    const places = [term, ...below].map((one) => one.id)
    const locationServices = slug === 'locations' ? await listOffersAt(db, places) : []
    const removal = { taxonomy: found.taxonomy, term, below, locationServices }
    await trashTerm(db, removal, () => removeRows(db, removal), saving)
  }
}

async function describeRemoval(db: Db, taxonomy: Taxonomy, term: TermNode): Promise<TermRemoval> {
  const below = descendantsOf(term)
  const ids = [term, ...below].map(({ id }) => id)
  const isPlace = taxonomy.slug === 'locations'
  return {
    taxonomy,
    term,
    below,
    links: await countLinksOfTerms(db, ids),
    locationServices: isPlace ? await listOffersAt(db, ids) : [],
    namedBy: isPlace ? await listServicesNaming(db, [term, ...below]) : [],
  }
}

async function remove(db: Db, removal: TermRemoval, tree: TermTree, now: Date) {
  await removeRows(db, removal)
  await followLocations(db, removal.taxonomy, tree, now)
}

async function removeRows(
  db: Db,
  { term, locationServices }: Pick<TermRemoval, 'term' | 'locationServices'>,
) {
  await deleteEntries(
    db,
    locationServices.map(({ id }) => id),
  )
  await deleteTerms(db, [term.id])
}

// Their patterns stay, without effect, because a file may still bring the term back.
async function listServicesNaming(db: Db, terms: readonly TermNode[]) {
  const slugs = new Set(terms.map(({ slug }) => slug))
  return (await entriesOf(db, SERVICES))
    .filter((service) => offeredIn(service).some((pattern) => slugs.has(locationOfPattern(pattern) ?? '')))
    .map(({ id, title }) => ({ id, title }))
}
