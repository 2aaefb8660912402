import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { ContentDocument } from '../document.ts'
import { selectFileErrors } from '../file-error-store.ts'

const ROWS_PER_STATEMENT = 100

/** A file that the last sync left out. */
export interface StoredConflict {
  path: string
  /** `waiting`: it depends on a conflict. */
  kind: Schema['content_conflicts']['kind']
  message: string
  /** The file's content with encrypted secrets; null if the file was deleted. */
  file: ContentDocument | null
  /** The row's content in the admin; null if it was deleted or renamed. */
  row: ContentDocument | null
  /** Changes when the file or the row does. */
  version: string
  /** UTC text. */
  foundAt: string
}

// The program itself wrote this column from checked documents.
const documentColumn = z.codec(z.string().nullable(), z.custom<ContentDocument>().nullable(), {
  decode: (text) => (text === null ? null : JSON.parse(text)),
  encode: (document) => (document === null ? null : JSON.stringify(document)),
})

/** Lists the paths of files that depend on a conflict. */
export async function listWaitingPaths(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('content_conflicts').select('path').where('kind', '=', 'waiting').execute()
  return rows.map(({ path }) => path)
}

/**
 * Replaces the open conflicts of all paths, or of those in `asked`. A conflict that was already open keeps its date.
 */
export async function replaceConflicts(
  db: Db,
  conflicts: readonly StoredConflict[],
  { asked }: { asked?: ReadonlySet<string> | undefined } = {},
): Promise<void> {
  const earlier = await db.selectFrom('content_conflicts').select(['path', 'found_at']).execute()
  const foundAt = new Map(earlier.map((row) => [row.path, row.found_at]))
  const removal = db.deleteFrom('content_conflicts')
  await (asked ? removal.where('path', 'in', [...asked]) : removal).execute()
  const rows = conflicts.map(({ file, row, foundAt: now, ...rest }) => ({
    ...rest,
    file_json: documentColumn.encode(file),
    row_json: documentColumn.encode(row),
    found_at: foundAt.get(rest.path) ?? now,
  }))
  for (const chunk of chunksOf(rows, ROWS_PER_STATEMENT))
    await db.insertInto('content_conflicts').values(chunk).execute()
}

/** Lists conflicts, then files that depend on them, each sorted by path. */
export async function listConflicts(db: Db, { limit }: { limit: number }): Promise<StoredConflict[]> {
  const rows = await db
    .selectFrom('content_conflicts')
    .selectAll()
    .orderBy('kind')
    .orderBy('path')
    .limit(limit)
    .execute()
  return rows.map(({ file_json, row_json, found_at, ...row }) => ({
    ...row,
    file: documentColumn.decode(file_json),
    row: documentColumn.decode(row_json),
    foundAt: found_at,
  }))
}

/** Stores both sides of a conflict with re-encrypted secrets, unless a sync has replaced it in the meantime. */
export async function replaceSides(
  db: Db,
  { path, version }: Pick<StoredConflict, 'path' | 'version'>,
  { file, row }: Pick<StoredConflict, 'file' | 'row'>,
): Promise<void> {
  await db
    .updateTable('content_conflicts')
    .set({ file_json: documentColumn.encode(file), row_json: documentColumn.encode(row) })
    .where('path', '=', path)
    .where('version', '=', version)
    .execute()
}

/** Counts the errors in files, the conflicts, and the files that depend on them; in one query. */
export async function countUnsynced(db: Db): Promise<{ errors: number; conflicts: number; waiting: number }> {
  const conflicts = db
    .selectFrom('content_conflicts')
    .select((row) => [row.ref('kind').$castTo<string>().as('kind'), row.fn.countAll<number>().as('count')])
    .groupBy('kind')
  const errors = selectFileErrors(db).select((row) => [
    sql<string>`'error'`.as('kind'),
    row.fn.countAll<number>().as('count'),
  ])
  const rows = await conflicts.unionAll(errors).execute()
  const countOf = (wanted: string) => Number(rows.find(({ kind }) => kind === wanted)?.count ?? 0)
  return { errors: countOf('error'), conflicts: countOf('conflict'), waiting: countOf('waiting') }
}
