import type { Db } from '../../db/schema.ts'
import { isShownAt } from '../entry-schedule-store.ts'

/** An entry that a term classifies (§2.8). */
export interface LinkedEntry {
  termId: number
  typeId: number
  slug: string
  title: string
  /** For a location service. */
  serviceId: number | null
  locationId: number | null
}

/** Lists the entries with terms of this taxonomy that the site shows at a time, by title; one row per link. */
export async function listLinkedEntries(db: Db, taxonomyId: number, shownAt: Date): Promise<LinkedEntry[]> {
  return db
    .selectFrom('entry_taxonomy_terms as link')
    .innerJoin('taxonomy_terms as term', 'term.id', 'link.term_id')
    .innerJoin('content_entries as entry', 'entry.id', 'link.entry_id')
    .select(['link.term_id as termId', 'entry.type_id as typeId', 'entry.slug', 'entry.title'])
    .select(['entry.service_entry_id as serviceId', 'entry.location_term_id as locationId'])
    .where('term.taxonomy_id', '=', taxonomyId)
    .where('entry.id', 'in', (row) =>
      row
        .selectFrom('content_entries')
        .select('id')
        .where((shown) => isShownAt(shown, shownAt)),
    )
    .orderBy('entry.title')
    .orderBy('entry.id')
    .execute()
}
