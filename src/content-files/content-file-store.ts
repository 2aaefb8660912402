import { z } from 'zod'
import type { Db } from '../db/schema.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { chunksOf } from '../lib/in-parts.ts'

const ROWS_PER_STATEMENT = 200

/** The content of a file when it and its row last agreed: the base of the three-way comparison (contract §3). */
export interface ContentFileBase {
  path: string
  /** The document, with `${NAME}` unreplaced and literal secrets encrypted. */
  document: unknown
  /** The hash of the row's document at that time. */
  rowSha256: string
}

const documentColumn = z.codec(z.string(), z.unknown(), {
  decode: (text) => JSON.parse(text),
  encode: (document) => canonicalJson(document),
})

/** Returns the bases by path: all, or those in one folder. */
export async function listContentFileBases(
  db: Db,
  { folder }: { folder?: string } = {},
): Promise<Map<string, ContentFileBase>> {
  const query = db.selectFrom('content_files').select(['path', 'document_json', 'row_sha256'])
  const rows = await (folder ? query.where('path', 'like', `${folder}/%`) : query).execute()
  return new Map(
    rows.map((row) => [
      row.path,
      { path: row.path, document: documentColumn.decode(row.document_json), rowSha256: row.row_sha256 },
    ]),
  )
}

/** Returns the base of a path; undefined for a file that was never synced. */
export async function findContentFileBase(db: Db, path: string): Promise<ContentFileBase | undefined> {
  const row = await db
    .selectFrom('content_files')
    .select(['document_json', 'row_sha256'])
    .where('path', '=', path)
    .executeTakeFirst()
  return row && { path, document: documentColumn.decode(row.document_json), rowSha256: row.row_sha256 }
}

export async function saveContentFileBases(
  db: Db,
  bases: readonly ContentFileBase[],
  { now }: { now: string },
): Promise<void> {
  const paths = bases.map(({ path }) => path)
  await deleteContentFileBases(db, paths)
  for (const chunk of chunksOf(bases, ROWS_PER_STATEMENT)) {
    const rows = chunk.map((base) => ({
      path: base.path,
      document_json: documentColumn.encode(base.document),
      row_sha256: base.rowSha256,
      synced_at: now,
    }))
    await db.insertInto('content_files').values(rows).execute()
  }
}

/** Replaces a base's row hash, when the row has the same meaning in different bytes. */
export async function replaceRowHash(
  db: Db,
  path: string,
  { former, now }: { former: string; now: string },
): Promise<void> {
  await db
    .updateTable('content_files')
    .set({ row_sha256: now })
    .where('path', '=', path)
    .where('row_sha256', '=', former)
    .execute()
}

/** Stores a re-encrypted document, unless a sync has replaced it in the meantime. */
export async function replaceBaseDocument(
  db: Db,
  path: string,
  { former, now }: { former: unknown; now: unknown },
): Promise<void> {
  await db
    .updateTable('content_files')
    .set({ document_json: documentColumn.encode(now) })
    .where('path', '=', path)
    .where('document_json', '=', documentColumn.encode(former))
    .execute()
}

export async function deleteContentFileBases(db: Db, paths: readonly string[]): Promise<void> {
  for (const chunk of chunksOf(paths, ROWS_PER_STATEMENT)) {
    await db.deleteFrom('content_files').where('path', 'in', chunk).execute()
  }
}
