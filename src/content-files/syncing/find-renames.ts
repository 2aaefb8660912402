import type { Db } from '../../db/schema.ts'
import { findEntryIds } from '../../entries/entry-store.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import { formerSlugs } from '../../site/pages/former-addresses.ts'
import { walkTerms } from '../../taxonomies/taxonomy-definition.ts'
import { findTaxonomy, listTerms } from '../../taxonomies/taxonomy-store.ts'
import { type EntryDocument, pathOfDocument, type TaxonomyDocument } from '../document.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'

/** A row that gets another slug. */
export interface Rename {
  kind: 'entry' | 'term'
  /** The slug of its content type or taxonomy. */
  owner: string
  id: number
  from: string
  to: string
}

/**
 * Finds the rows that files continue under a new slug: `redirect_from` of an entry contains the address of a row
 * without a file, or `former_slugs` of a term contains one that is no longer in its taxonomy. None if there already
 * is a row with the new slug. If two files claim the same row, the first one gets it.
 */
export async function findRenames(db: Db, files: readonly ParsedFile[]): Promise<Rename[]> {
  const documents = files.flatMap(({ document }) => document ?? [])
  const paths = new Set(files.map(({ path }) => path))
  const renames: Rename[] = []
  for (const document of documents) {
    if (document.kind === 'entry') renames.push(...(await renameOfEntry(db, document, paths)))
    if (document.kind === 'taxonomy') renames.push(...(await renamesOfTerms(db, document)))
  }
  const byRow = Map.groupBy(renames, ({ kind, id }) => `${kind} ${id}`)
  return [...byRow.values()].flatMap(([first]) => first ?? [])
}

async function renameOfEntry(db: Db, document: EntryDocument, paths: ReadonlySet<string>): Promise<Rename[]> {
  const { type: owner, slug: to, redirect_from: redirectFrom = [] } = document
  // Addresses of a location service follow from its service and place.
  if (redirectFrom.length === 0 || rulesOf(owner).inherits) return []
  const type = await findContentType(db, owner)
  const former = formerSlugs({ redirectFrom }, type?.routePattern)
  if (!type || former.length === 0) return []
  const ids = await findEntryIds(db, type.id, [to, ...former])
  const from = former.find((slug) => ids.has(slug) && !paths.has(pathOfDocument({ ...document, slug })))
  const id = from === undefined || ids.has(to) ? undefined : ids.get(from)
  return id === undefined || from === undefined ? [] : [{ kind: 'entry', owner, id, from, to }]
}

async function renamesOfTerms(db: Db, { slug: owner, definition }: TaxonomyDocument): Promise<Rename[]> {
  const defined = [...walkTerms(definition.terms)].map(({ term }) => term)
  if (defined.every((term) => !term.former_slugs)) return []
  const taxonomy = await findTaxonomy(db, owner)
  const rows = new Map((taxonomy ? await listTerms(db, taxonomy.id) : []).map((term) => [term.slug, term.id]))
  const slugs = new Set(defined.map((term) => term.slug))
  return defined.flatMap(({ slug: to, former_slugs: former = [] }): Rename[] => {
    const from = former.find((slug) => rows.has(slug) && !slugs.has(slug))
    const id = from === undefined || rows.has(to) ? undefined : rows.get(from)
    return id === undefined || from === undefined ? [] : [{ kind: 'term', owner, id, from, to }]
  })
}
