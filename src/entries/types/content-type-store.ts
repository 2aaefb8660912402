import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import { type SchemaField, schemaField } from './schema-field.ts'

export type { SchemaField } from './schema-field.ts'

export interface ContentType {
  id: number
  slug: string
  name: string
  description: string | null
  isRoutable: boolean
  /** `/services/{slug}`; null when the type has no pages. */
  routePattern: string | null
  detailPartial: string | null
  fields: SchemaField[]
  isBuiltin: boolean
  sortOrder: number
}

export type ContentTypeValues = Omit<ContentType, 'id' | 'slug' | 'isBuiltin'>

const schemaColumn = jsonColumn(z.object({ fields: z.array(schemaField) }))

/** All content types by sort order, then slug. */
export async function listContentTypes(db: Db): Promise<ContentType[]> {
  const rows = await db
    .selectFrom('content_types')
    .selectAll()
    .orderBy('sort_order')
    .orderBy('slug')
    .execute()
  return rows.map(toContentType)
}

export async function findContentType(db: Db, slug: string): Promise<ContentType | undefined> {
  const row = await db.selectFrom('content_types').selectAll().where('slug', '=', slug).executeTakeFirst()
  return row && toContentType(row)
}

export async function findContentTypeById(db: Db, id: number): Promise<ContentType | undefined> {
  const row = await db.selectFrom('content_types').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toContentType(row)
}

/** Inserts a content type that is not built in; returns its id. */
export async function insertContentType(db: Db, slug: string, values: ContentTypeValues): Promise<number> {
  const row = await db
    .insertInto('content_types')
    .values({ slug, is_builtin: 0, ...toColumns(values) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function updateContentType(db: Db, id: number, values: ContentTypeValues): Promise<void> {
  await db.updateTable('content_types').set(toColumns(values)).where('id', '=', id).execute()
}

/** Deletes a content type with all its entries. */
export async function deleteContentType(db: Db, id: number): Promise<void> {
  await db.deleteFrom('content_types').where('id', '=', id).execute()
}

function toContentType(row: Selectable<Schema['content_types']>): ContentType {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    description: row.description,
    isRoutable: row.is_routable === 1,
    routePattern: row.route_pattern,
    detailPartial: row.detail_partial,
    fields: schemaColumn.decode(row.schema_json).fields,
    isBuiltin: row.is_builtin === 1,
    sortOrder: row.sort_order,
  }
}

function toColumns(values: ContentTypeValues) {
  return {
    name: values.name,
    description: values.description,
    is_routable: values.isRoutable ? (1 as const) : (0 as const),
    route_pattern: values.routePattern,
    detail_partial: values.detailPartial,
    schema_json: schemaColumn.encode({ fields: values.fields }),
    sort_order: values.sortOrder,
  }
}
