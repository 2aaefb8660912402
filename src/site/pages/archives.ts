import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import { type LinkedEntry, listLinkedEntries } from '../../entries/terms/term-link-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { composeRoute } from '../../entries/types/route-pattern.ts'
import { orderOfNames } from '../../lib/compare-text.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { listTaxonomies, listTerms, type Taxonomy } from '../../taxonomies/taxonomy-store.ts'
import { buildTermTree, type TermTree } from '../../taxonomies/term-tree.ts'
import type { SiteSettings } from '../settings/site-settings.ts'
import { type Addresses, placePath } from './page-addresses.ts'
import type { PageLink } from './page-link.ts'

/** A taxonomy with public pages for its terms, because an administrator opted in (§1.7). */
export interface Archive {
  taxonomy: Taxonomy
  tree: TermTree
  /** Term ID → the pages of its entries. */
  links: Map<number, PageLink[]>
}

interface Listed extends Addresses {
  settings: SiteSettings
  services: ReadonlyMap<number, Entry>
  locations: TermTree
  shownAt: Date
}

/** Returns nothing for a taxonomy without an archive: classification is internal (§1.7). */
export async function loadArchives(db: Db, content: Listed): Promise<Archive[]> {
  const archives: Archive[] = []
  for (const taxonomy of await listTaxonomies(db)) {
    if (!taxonomy.hasArchive) continue
    const tree = buildTermTree(await listTerms(db, taxonomy.id))
    const links = await loadLinks(db, taxonomy, content)
    archives.push({ taxonomy, tree, links })
  }
  return archives
}

async function loadLinks(
  db: Db,
  { id, appliesToTypeIds }: Taxonomy,
  content: Listed,
): Promise<Map<number, PageLink[]>> {
  const links = new Map<number, PageLink[]>()
  const types = new Map([...content.types.values()].map((type) => [type.id, type]))
  const entries = await listLinkedEntries(db, id, content.shownAt)
  // Sorted here, because databases sort texts by the rules of their own locale.
  const compare = orderOfNames(localeOf(content.settings).language)
  entries.sort((one, other) => compare(one.title, other.title))
  for (const entry of entries) {
    const type = types.get(entry.typeId)
    const applies = appliesToTypeIds === null || appliesToTypeIds.includes(entry.typeId)
    const link = type && applies ? linkTo(content, type, entry) : undefined
    if (!link) continue
    const known = links.get(entry.termId)
    if (known) known.push(link)
    else links.set(entry.termId, [link])
  }
  return links
}

function linkTo(content: Listed, type: ContentType, entry: LinkedEntry): PageLink | undefined {
  if (rulesOf(type.slug).inherits) return linkToPlace(content, entry)
  const path = type.isRoutable ? composeRoute(type.routePattern ?? '', entry.slug) : undefined
  return path ? { name: entry.title, path } : undefined
}

// Without a title of its own, its title comes from its page, which exists only while its service does.
function linkToPlace(content: Listed, { title, serviceId, locationId }: LinkedEntry): PageLink | undefined {
  const service = content.services.get(serviceId ?? 0)
  const place = content.locations.byId.get(locationId ?? 0)
  const path = service && place && placePath(content, service, place)
  return path ? { name: title || `${service.title} in ${place.name}`, path } : undefined
}
