import type { Db } from '../db/schema.ts'
import type { ContentType } from '../entries/content-type-store.ts'
import { composeRoute } from '../entries/route-pattern.ts'
import { listLinkedEntries } from '../entries/term-link-store.ts'
import { listTaxonomies, listTerms, type Taxonomy } from '../taxonomies/taxonomy-store.ts'
import { buildTermTree, type TermTree } from '../taxonomies/term-tree.ts'
import type { PageLink } from './page-link.ts'

/** A taxonomy whose terms have public pages, because an administrator opted in (§1.7). */
export interface Archive {
  taxonomy: Taxonomy
  tree: TermTree
  /** Term id → the pages of the entries that it classifies. */
  links: Map<number, PageLink[]>
}

/** Nothing for a taxonomy whose archive is not switched on: classification is internal (§1.7). */
export async function loadArchives(
  db: Db,
  { types, shownAt }: { types: Iterable<ContentType>; shownAt: Date },
): Promise<Archive[]> {
  const archives: Archive[] = []
  const byId = new Map([...types].map((type) => [type.id, type]))
  for (const taxonomy of await listTaxonomies(db)) {
    if (!taxonomy.hasArchive) continue
    const tree = buildTermTree(await listTerms(db, taxonomy.id))
    const links = await loadLinks(db, taxonomy, { types: byId, shownAt })
    archives.push({ taxonomy, tree, links })
  }
  return archives
}

async function loadLinks(
  db: Db,
  { id, appliesToTypeIds }: Taxonomy,
  { types, shownAt }: { types: ReadonlyMap<number, ContentType>; shownAt: Date },
): Promise<Map<number, PageLink[]>> {
  const links = new Map<number, PageLink[]>()
  for (const { termId, typeId, slug, title } of await listLinkedEntries(db, id, shownAt)) {
    const type = types.get(typeId)
    const applies = appliesToTypeIds === null || appliesToTypeIds.includes(typeId)
    const path = applies && type?.isRoutable ? composeRoute(type.routePattern ?? '', slug) : undefined
    if (!path) continue
    const known = links.get(termId)
    if (known) known.push({ name: title, path })
    else links.set(termId, [{ name: title, path }])
  }
  return links
}
