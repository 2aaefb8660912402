import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { type FromRow, fromRow, toRow } from '../../db/tables/columns.ts'
import { jsonColumn } from '../../lib/json-column.ts'
import { withoutSectionFields, withSectionFields } from '../sections/fields-of-type.ts'
import { type SchemaField, schemaField } from './schema-field.ts'

export type { SchemaField } from './schema-field.ts'

type TypeRow = Selectable<Schema['content_types']>

export interface ContentType extends FromRow<Omit<TypeRow, 'schema_json' | 'created_at'>> {
  fields: SchemaField[]
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

/** Inserts a custom content type; returns its ID. */
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

function toContentType({ schema_json, created_at: _, ...row }: TypeRow): ContentType {
  return { ...fromRow(row), fields: withSectionFields(row.slug, schemaColumn.decode(schema_json).fields) }
}

function toColumns({ fields, ...values }: ContentTypeValues) {
  return { ...toRow(values), schema_json: schemaColumn.encode({ fields: withoutSectionFields(fields) }) }
}
