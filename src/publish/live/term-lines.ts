import type { Db } from '../../db/schema.ts'
import { type ContentRow, listRows } from './content-row-store.ts'

/** Returns a term's ancestors, nearest first; `circle` if it is its own ancestor. */
export async function lineAbove(db: Db, id: number): Promise<ContentRow[] | 'circle'> {
  const line: ContentRow[] = []
  const seen = new Set<unknown>([id])
  let [row] = await listRows(db, 'taxonomy_terms', 'id', [id])
  while (row && row.parent_id !== null) {
    if (seen.has(row.parent_id)) return 'circle'
    seen.add(row.parent_id)
    ;[row] = await listRows(db, 'taxonomy_terms', 'id', [row.parent_id])
    if (row) line.push(row)
  }
  return line
}

/** Returns the IDs of all terms below a term. */
export async function listBelow(db: Db, id: number): Promise<number[]> {
  const below: number[] = []
  let level = [id]
  while (level.length > 0) {
    level = (await listRows(db, 'taxonomy_terms', 'parent_id', level)).map((row) => Number(row.id))
    below.push(...level)
  }
  return below
}
