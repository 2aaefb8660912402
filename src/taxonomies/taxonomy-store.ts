import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { type FromRow, fromRow, toRow } from '../db/tables/columns.ts'
import { chunksOf } from '../lib/in-parts.ts'
import { jsonColumn } from '../lib/json-column.ts'
import { deleteVersions } from '../versions/version-store.ts'

type TaxonomyRow = Selectable<Schema['taxonomies']>
type TermRow = Selectable<Schema['taxonomy_terms']>

export interface Taxonomy extends FromRow<Omit<TaxonomyRow, 'applies_to_type_ids_json' | 'created_at'>> {
  /** Content type ids; null means all routable content types (§2.6). */
  appliesToTypeIds: number[] | null
}

export interface Term extends FromRow<Omit<TermRow, 'former_slugs_json' | 'created_at'>> {
  /** Former slugs. */
  formerSlugs: string[]
}

export type TaxonomyValues = Omit<Taxonomy, 'id' | 'slug' | 'isBuiltin'>
/** Missing former slugs and a missing kind stay unchanged; a new term has none. */
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

/** Inserts a custom taxonomy; returns its ID. */
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

/** Deletes a taxonomy, its terms with their versions, and their links (§2.7, §2.8). */
export async function deleteTaxonomy(db: Db, id: number): Promise<void> {
  const ids = (await listTerms(db, id)).map((term) => term.id)
  for (const chunk of chunksOf(ids)) await deleteVersions(db, 'term', chunk)
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

/** The terms of the taxonomy with this slug, in that order; empty if there is none. */
export async function listTermsOf(db: Db, slug: string): Promise<Term[]> {
  const rows = await db
    .selectFrom('taxonomy_terms')
    .selectAll()
    .where('taxonomy_id', '=', (eb) => eb.selectFrom('taxonomies').select('id').where('slug', '=', slug))
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(toTerm)
}

/** Lists the first terms of `locations` by name, for selection; `within` restricts them to these slugs. */
export async function listPlaces(
  db: Db,
  { limit, within = null }: { limit: number; within?: readonly number[] | null },
): Promise<Pick<Term, 'id' | 'slug' | 'name'>[]> {
  const own = within?.slice(0, limit)
  return db
    .selectFrom('taxonomy_terms')
    .innerJoin('taxonomies', 'taxonomies.id', 'taxonomy_terms.taxonomy_id')
    .select(['taxonomy_terms.id', 'taxonomy_terms.slug', 'taxonomy_terms.name'])
    .where('taxonomies.slug', '=', 'locations')
    .$if(own !== undefined, (query) => query.where('taxonomy_terms.id', 'in', [0, ...(own ?? [])]))
    .orderBy('taxonomy_terms.name')
    .limit(limit)
    .execute()
}

/** The terms of all taxonomies by position, then id; by taxonomy id. */
export async function listTermsByTaxonomy(db: Db): Promise<Map<number, Term[]>> {
  const rows = await db.selectFrom('taxonomy_terms').selectAll().orderBy('position').orderBy('id').execute()
  return Map.groupBy(rows.map(toTerm), ({ taxonomyId }) => taxonomyId)
}

/** Inserts terms of one taxonomy; returns the new IDs by slug. */
export async function insertTerms(
  db: Db,
  taxonomyId: number,
  terms: readonly (TermValues & { slug: string })[],
): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const chunk of chunksOf(terms)) {
    const rows = await db
      .insertInto('taxonomy_terms')
      .values(chunk.map((term) => ({ taxonomy_id: taxonomyId, slug: term.slug, ...toTermColumns(term) })))
      .returning(['id', 'slug'])
      .execute()
    for (const row of rows) ids.set(row.slug, row.id)
  }
  return ids
}

/** Updates a term, including its slug if another is given. */
export async function updateTerm(
  db: Db,
  id: number,
  { slug, ...values }: TermValues & { slug?: string },
): Promise<void> {
  const columns = { ...toTermColumns(values), ...(slug !== undefined && { slug }) }
  await db.updateTable('taxonomy_terms').set(columns).where('id', '=', id).execute()
}

/** Changes the slug of a term. */
export async function setTermSlug(db: Db, id: number, slug: string): Promise<void> {
  await db.updateTable('taxonomy_terms').set({ slug }).where('id', '=', id).execute()
}

/** Deletes terms with everything below them and their links to entries (§2.7, §2.8). */
export async function deleteTerms(db: Db, ids: readonly number[]): Promise<void> {
  for (const chunk of chunksOf(ids)) {
    await db.deleteFrom('taxonomy_terms').where('id', 'in', chunk).execute()
  }
}

function toTaxonomy({ applies_to_type_ids_json: ids, created_at: _, ...row }: TaxonomyRow): Taxonomy {
  return { ...fromRow(row), appliesToTypeIds: ids === null ? null : typeIdsColumn.decode(ids) }
}

function toTaxonomyColumns(values: TaxonomyValues) {
  const { name, description, isHierarchical, appliesToTypeIds: ids, sortOrder, hasArchive } = values
  return {
    ...toRow({ name, description, isHierarchical, sortOrder, hasArchive }),
    applies_to_type_ids_json: ids === null ? null : typeIdsColumn.encode(ids),
  }
}

// By hand, because there may be thousands in every publish.
function toTerm(row: TermRow): Term {
  const { id, slug, name, description, position, kind, former_slugs_json: slugs } = row
  const formerSlugs = slugs === null ? [] : slugsColumn.decode(slugs)
  const above = { taxonomyId: row.taxonomy_id, parentId: row.parent_id }
  return { id, ...above, slug, name, description, position, formerSlugs, kind }
}

function toTermColumns({ parentId, name, description, position, formerSlugs, kind }: TermValues) {
  const former_slugs_json = formerSlugs && toSlugsColumn(formerSlugs)
  return { parent_id: parentId, name, description, position, former_slugs_json, kind }
}

function toSlugsColumn(slugs: readonly string[]) {
  return slugs.length === 0 ? null : slugsColumn.encode([...slugs])
}
