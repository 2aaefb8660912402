import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import type { ContentDocument } from '../document.ts'

const ROWS_PER_STATEMENT = 100

/** A file that the last sync did not take over. */
export interface StoredConflict {
  path: string
  /** `waiting`: it depends on a conflict. */
  kind: Schema['content_conflicts']['kind']
  message: string
  /** Content of the file, literal secrets sealed; null if the file was deleted. */
  file: ContentDocument | null
  /** Content of the row in the admin; null if it was deleted or renamed. */
  row: ContentDocument | null
  /** Changes when the file or the row does. */
  version: string
  /** UTC text. */
  foundAt: string
}

// This program wrote the column from checked documents.
const documentColumn = z.codec(z.string().nullable(), z.custom<ContentDocument>().nullable(), {
  decode: (text) => (text === null ? null : JSON.parse(text)),
  encode: (document) => (document === null ? null : JSON.stringify(document)),
})

/** The paths of files that wait for a conflict. */
export async function listWaitingPaths(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('content_conflicts').select('path').where('kind', '=', 'waiting').execute()
  return rows.map(({ path }) => path)
}

/** Makes these the conflicts that are left, of all paths or of those `asked` about. One that was left before keeps its date. */
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

/** Conflicts first, then files that wait for them, each in the order of their paths. */
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

/** Stores both sides of a conflict again, unless a sync replaced it meanwhile. */
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

/** Counts the files in conflict, and those that wait for them. */
export async function countConflicts(db: Db): Promise<{ conflicts: number; waiting: number }> {
  const rows = await db
    .selectFrom('content_conflicts')
    .select(['kind', (row) => row.fn.countAll<number>().as('count')])
    .groupBy('kind')
    .execute()
  const countOf = (kind: string) => Number(rows.find((row) => row.kind === kind)?.count ?? 0)
  return { conflicts: countOf('conflict'), waiting: countOf('waiting') }
}
