import type { Selectable } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { packJson, readJson } from './packed-content.ts'
import type { Saving } from './version.ts'

type TrashRow = Selectable<Schema['content_trash']>

/** The subject of something in the trash. */
export interface TrashSubject {
  kind: TrashRow['subject_kind']
  id: number
}

/** Something that was deleted and can be restored. */
export interface Trashed {
  id: number
  subject: TrashSubject
  /** The type of an entry, the taxonomy of a term, the slug of a form, the hash of a picture. */
  typeSlug: string
  name: string
  /** Number of other rows that were deleted along. */
  parts: number
  source: TrashRow['source']
  deletedBy: string | null
  /** UTC text. */
  deletedAt: string
}

const COLUMNS = [
  'id',
  'subject_kind',
  'subject_id',
  'type_slug',
  'name',
  'parts',
  'source',
  'deleted_by',
  'deleted_at',
] as const

/** Lists the trash, newest first; only older than `before`, if given. */
export async function listTrash(
  db: Db,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<Trashed[]> {
  const query = db.selectFrom('content_trash').select(COLUMNS).orderBy('id', 'desc').limit(limit)
  const rows = await (before === undefined ? query : query.where('id', '<', before)).execute()
  return rows.map(toTrashed)
}

/** Returns what those of these subjects of a kind that are in the trash were called, by their IDs. */
export async function listTrashedNames(
  db: Db,
  { kind, ids }: { kind: TrashSubject['kind']; ids: readonly number[] },
): Promise<Map<number, Pick<Trashed, 'name' | 'typeSlug'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('content_trash')
    .select(['subject_id', 'name', 'type_slug'])
    .where('subject_kind', '=', kind)
    .where('subject_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ subject_id, name, type_slug }) => [subject_id, { name, typeSlug: type_slug }]))
}

/** Returns the trash ID of a subject; undefined if it isn't in the trash. */
export async function findTrashId(db: Db, { kind, id }: TrashSubject): Promise<number | undefined> {
  const row = await db
    .selectFrom('content_trash')
    .select('id')
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .executeTakeFirst()
  return row?.id
}

/** Something in the trash with its content. */
export async function findTrashed(
  db: Db,
  id: number,
): Promise<{ trashed: Trashed; content: unknown } | undefined> {
  const row = await db.selectFrom('content_trash').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { trashed: toTrashed(row), content: readJson(row.content) }
}

/** Returns everything of a kind in the trash with its content. */
export async function listTrashedContents(
  db: Db,
  kind: TrashSubject['kind'],
): Promise<{ id: number; content: unknown }[]> {
  const rows = await db
    .selectFrom('content_trash')
    .select(['id', 'content'])
    .where('subject_kind', '=', kind)
    .execute()
  return rows.map(({ id, content }) => ({ id, content: readJson(content) }))
}

/** Returns everything of a kind and type that a content file removed, with its content, newest first. */
export async function listRemovedByFile(
  db: Db,
  kind: TrashSubject['kind'],
  typeSlug: string,
): Promise<{ id: number; deletedAt: string; content: unknown }[]> {
  const rows = await db
    .selectFrom('content_trash')
    .select(['id', 'deleted_at', 'content'])
    .where('subject_kind', '=', kind)
    .where('type_slug', '=', typeSlug)
    .where('source', '=', 'file')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, deleted_at, content }) => ({
    id,
    deletedAt: deleted_at,
    content: readJson(content),
  }))
}

/** Stores other content of something in the trash. */
export async function updateTrashedContent(db: Db, id: number, content: unknown): Promise<void> {
  await db
    .updateTable('content_trash')
    .set({ content: packJson(JSON.stringify(content)) })
    .where('id', '=', id)
    .execute()
}

/** Those that were deleted before a moment (UTC text), the oldest first. */
export async function listTrashedBefore(
  db: Db,
  moment: string,
  { limit }: { limit: number },
): Promise<Trashed[]> {
  const query = db.selectFrom('content_trash').select(COLUMNS).where('deleted_at', '<', moment)
  return (await query.orderBy('deleted_at').limit(limit).execute()).map(toTrashed)
}

/** Puts something into the trash. Returns its ID there. */
export async function insertTrashed(
  db: Db,
  { kind, id }: TrashSubject,
  { content, ...trashed }: Pick<Trashed, 'typeSlug' | 'name' | 'parts'> & { content: unknown },
  { now, by }: Saving,
): Promise<number> {
  const row = await db
    .insertInto('content_trash')
    .values({
      subject_kind: kind,
      subject_id: id,
      type_slug: trashed.typeSlug,
      name: trashed.name,
      parts: trashed.parts,
      source: by?.source === 'file' ? 'file' : 'admin',
      deleted_by: by?.email ?? null,
      deleted_at: now,
      content: packJson(JSON.stringify(content)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Takes something out of the trash; false when it was gone. */
export async function deleteTrashed(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('content_trash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

function toTrashed(row: Omit<TrashRow, 'content'>): Trashed {
  return {
    id: row.id,
    subject: { kind: row.subject_kind, id: row.subject_id },
    typeSlug: row.type_slug,
    name: row.name,
    parts: row.parts,
    source: row.source,
    deletedBy: row.deleted_by,
    deletedAt: row.deleted_at,
  }
}
