import type { Db } from '../../db/schema.ts'
import { termSubject } from '../../taxonomies/record-term.ts'
import { readTermRows, type TermRow } from '../../taxonomies/term-rows-store.ts'
import type { TermNode } from '../../taxonomies/term-tree.ts'
import { insertTrashed, listTrashedContents } from '../../versions/trash-store.ts'
import type { Saving } from '../../versions/version.ts'
import { listGenerated } from '../offers/follow-offers.ts'
import type { Offer } from '../offers/location-service-store.ts'
import type { GeneratedPage } from '../offers/removed-page-store.ts'
import { type EntryRows, readEntryRows } from './entry-rows-store.ts'
import { readTermLinks, type TermLinks } from './term-links-store.ts'

/** A place or category as stored in the trash. */
export interface TrashedTerm {
  /** The deleted term first, then those below it, each after its parent. */
  terms: TermRow[]
  links: TermLinks
  /** Customized local pages there. */
  pages: EntryRows
  /** The other local pages there. */
  generated?: GeneratedPage[]
}

interface Removed {
  term: TermNode
  below: readonly TermNode[]
  taxonomy: { slug: string }
  locationServices: readonly Offer[]
}

/** Returns the IDs of all places and categories in the trash, including those inside others. */
export async function findTrashedTermIds(db: Db): Promise<Set<number>> {
  const trashed = await listTrashedContents(db, 'term')
  return new Set(trashed.flatMap(({ content }) => (content as TrashedTerm).terms.map(({ id }) => id)))
}

/**
 * Deletes a term with `remove` and keeps it in the trash with those below it, their links and former names, and the
 * local pages there. Call it inside a transaction.
 */
export async function trashTerm(
  db: Db,
  { term, below, taxonomy, locationServices }: Removed,
  remove: () => Promise<void>,
  saving: Saving,
): Promise<void> {
  const ids = [term, ...below].map(({ id }) => id)
  const written = locationServices.filter(({ isGenerated }) => !isGenerated).map(({ id }) => id)
  const content: TrashedTerm = {
    terms: await readTermRows(db, ids),
    links: await readTermLinks(db, ids),
    pages: await readEntryRows(db, written),
    generated: listGenerated(locationServices),
  }
  await remove()
  const described = { typeSlug: taxonomy.slug, name: term.name, parts: below.length }
  await insertTrashed(db, termSubject(term.id), { ...described, content }, saving)
}
