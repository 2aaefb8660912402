import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { jsonColumn } from '../lib/json-column.ts'
import type { PlaceKind } from './place-kind.ts'

const ROWS_PER_STATEMENT = 500

export interface Taxonomy {
  id: number
  slug: string
  name: string
  description: string | null
  isHierarchical: boolean
  /** Content type ids; null means all routable content types (§2.6). */
  appliesToTypeIds: number[] | null
  isBuiltin: boolean
  sortOrder: number
  /** Whether an administrator opted in to public archive pages (§1.7). */
  hasArchive: boolean
}

export interface Term {
  id: number
  taxonomyId: number
  parentId: number | null
  slug: string
  name: string
  description: string | null
  position: number
  /** Slugs it had before. */
  formerSlugs: string[]
  /** What a place is; null where its depth in the tree says it (§2.6). */
  kind: PlaceKind | null
}

export type TaxonomyValues = Omit<Taxonomy, 'id' | 'slug' | 'isBuiltin'>
/** Former slugs and a kind that are left out stay as they are; a new term has none. */
export type TermValues = Omit<Term, 'id' | 'taxonomyId' | 'slug' | 'formerSlugs' | 'kind'> &
  Partial<Pick<Term, 'formerSlugs'>> & { kind?: Term['kind'] | undefined }

const typeIdsColumn = jsonColumn(z.array(z.int()))

const slugsColumn = jsonColumn(z.array(z.string()))

/** All taxonomies by sort order, then slug. */
export async function listTaxonomies(db: Db): Promise<Taxonomy[]> {
  const rows = await db.selectFrom('taxonomies').selectAll().orderBy('sort_order').orderBy('slug').execute()
  return rows.map(toTaxonomy)
}

export async function findTaxonomy(db: Db, slug: string): Promise<Taxonomy | undefined> {
  const row = await db.selectFrom('taxonomies').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && toTaxonomy(row)
}

/** Inserts a taxonomy that is not built in; returns its id. */
export async function insertTaxonomy(db: Db, slug: string, values: TaxonomyValues): Promise<number> {
  const row = await db
    .insertInto('taxonomies')
    .values({ slug, is_builtin: 0, ...toTaxonomyColumns(values) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function updateTaxonomy(db: Db, id: number, values: TaxonomyValues): Promise<void> {
  await db.updateTable('taxonomies').set(toTaxonomyColumns(values)).where('id', '=', id).execute()
}

/** Deletes a taxonomy; its terms and their links go with it (§2.7, §2.8). */
export async function deleteTaxonomy(db: Db, id: number): Promise<void> {
  await db.deleteFrom('taxonomies').where('id', '=', id).execute()
}

/** The terms of one taxonomy by position, then id. */
export async function listTerms(db: Db, taxonomyId: number): Promise<Term[]> {
  const rows = await db
    .selectFrom('taxonomy_terms')
    .selectAll()
    .where('taxonomy_id', '=', taxonomyId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(toTerm)
}

/** Terms of `locations` by name, the first so many, to choose one from. */
export async function listPlaces(
  db: Db,
  { limit }: { limit: number },
): Promise<Pick<Term, 'slug' | 'name'>[]> {
  return db
    .selectFrom('taxonomy_terms')
    .innerJoin('taxonomies', 'taxonomies.id', 'taxonomy_terms.taxonomy_id')
    .select(['taxonomy_terms.slug', 'taxonomy_terms.name'])
    .where('taxonomies.slug', '=', 'locations')
    .orderBy('taxonomy_terms.name')
    .limit(limit)
    .execute()
}

/** The terms of all taxonomies by position, then id; by taxonomy id. */
export async function listTermsByTaxonomy(db: Db): Promise<Map<number, Term[]>> {
  const rows = await db.selectFrom('taxonomy_terms').selectAll().orderBy('position').orderBy('id').execute()
  return Map.groupBy(rows.map(toTerm), ({ taxonomyId }) => taxonomyId)
}

/** Inserts terms of one taxonomy; returns the new ids by slug. */
export async function insertTerms(
  db: Db,
  taxonomyId: number,
  terms: readonly (TermValues & { slug: string })[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (let start = 0; start < terms.length; start += ROWS_PER_STATEMENT) {
    const chunk = terms.slice(start, start + ROWS_PER_STATEMENT)
    const rows = await db
      .insertInto('taxonomy_terms')
      .values(chunk.map((term) => ({ taxonomy_id: taxonomyId, slug: term.slug, ...toTermColumns(term) })))
      .returning(['id', 'slug'])
      .execute()
    for (const row of rows) ids.set(row.slug, row.id)
  }
  return ids
}

/** Stores a term, under another slug where one is given. */
export async function updateTerm(
  db: Db,
  id: number,
  { slug, ...values }: TermValues & { slug?: string },
): Promise<void> {
  const columns = { ...toTermColumns(values), ...(slug !== undefined && { slug }) }
  await db.updateTable('taxonomy_terms').set(columns).where('id', '=', id).execute()
}

/** Gives a term another slug. */
export async function setTermSlug(db: Db, id: number, slug: string): Promise<void> {
  await db.updateTable('taxonomy_terms').set({ slug }).where('id', '=', id).execute()
}

/** Deletes terms with everything below them and their links to entries (§2.7, §2.8). */
export async function deleteTerms(db: Db, ids: readonly number[]): Promise<void> {
  for (let start = 0; start < ids.length; start += ROWS_PER_STATEMENT) {
    const chunk = ids.slice(start, start + ROWS_PER_STATEMENT)
    await db.deleteFrom('taxonomy_terms').where('id', 'in', chunk).execute()
  }
}

function toTaxonomy(row: Selectable<Schema['taxonomies']>): Taxonomy {
  const typeIds = row.applies_to_type_ids_json
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    isHierarchical: row.is_hierarchical === 1,
    appliesToTypeIds: typeIds === null ? null : typeIdsColumn.decode(typeIds),
    isBuiltin: row.is_builtin === 1,
    sortOrder: row.sort_order,
    hasArchive: row.has_archive === 1,
  }
}

function toTaxonomyColumns(values: TaxonomyValues) {
  return {
    name: values.name,
    description: values.description,
    is_hierarchical: values.isHierarchical ? (1 as const) : (0 as const),
    applies_to_type_ids_json:
      values.appliesToTypeIds === null ? null : typeIdsColumn.encode(values.appliesToTypeIds),
    sort_order: values.sortOrder,
    has_archive: values.hasArchive ? (1 as const) : (0 as const),
  }
}

function toTerm(row: Selectable<Schema['taxonomy_terms']>): Term {
  return {
    id: row.id,
    taxonomyId: row.taxonomy_id,
    parentId: row.parent_id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    position: row.position,
    formerSlugs: row.former_slugs_json === null ? [] : slugsColumn.decode(row.former_slugs_json),
    kind: row.kind,
  }
}

function toTermColumns(values: TermValues) {
  return {
    parent_id: values.parentId,
    name: values.name,
    description: values.description,
    position: values.position,
    former_slugs_json: values.formerSlugs && toSlugsColumn(values.formerSlugs),
    kind: values.kind,
  }
}

function toSlugsColumn(slugs: readonly string[]) {
  return slugs.length === 0 ? null : slugsColumn.encode([...slugs])
}
