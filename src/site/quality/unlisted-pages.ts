import type { Db } from '../../db/schema.ts'
import { entriesOf } from '../../entries/meanings/meaning.ts'
import type { ChoosableTaxonomy } from '../../entries/terms/entry-terms.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { findTaxonomy, listTerms } from '../../taxonomies/taxonomy-store.ts'
import { findSiteSettings } from '../settings/site-settings-store.ts'
import { listUnlistedPages, type QualityCursor, type UnlistedPage } from './page-quality-store.ts'

const PAGES_AT_ONCE = 30

/** The filter for pages missing from search: by service, and by place including those below it. */
export interface UnlistedQuestion {
  serviceId: number | undefined
  placeId: number | undefined
  after: QualityCursor | undefined
}

interface UnlistedPages {
  pages: UnlistedPage[]
  /** Position of the next page of results, if any. */
  next: QualityCursor | undefined
  threshold: number
  services: { id: number; title: string }[]
  places: ChoosableTaxonomy[]
}

/** Lists pages missing from search, closest to passing first, with the filter options. */
export async function loadUnlistedPages(db: Db, question: UnlistedQuestion): Promise<UnlistedPages> {
  const found = await listUnlistedPages(db, { ...question, limit: PAGES_AT_ONCE + 1 })
  const pages = found.slice(0, PAGES_AT_ONCE)
  const taxonomy = await findTaxonomy(db, 'locations')
  return {
    pages,
    next: found.length > PAGES_AT_ONCE ? pages.at(-1) : undefined,
    threshold: (await findSiteSettings(db)).quality_threshold,
    services: await entriesOf(db, SERVICES),
    places: taxonomy ? [{ taxonomy, terms: await listTerms(db, taxonomy.id) }] : [],
  }
}
