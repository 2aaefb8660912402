import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import { namesInText, namesInValues } from './named-pictures.ts'

/** The parts of an entry that may name pictures. */
interface NamingEntry {
  id: number
  body: string
  data: Readonly<Record<string, unknown>>
}

/** Records which pictures entries use. Call it in the transaction that stores them. */
export async function notePictureUses(
  db: Db,
  entries: readonly NamingEntry[],
  { isNew }: { isNew: boolean },
): Promise<void> {
  if (!isNew)
    for (const ids of chunksOf(entries.map(({ id }) => id)))
      await db.deleteFrom('picture_uses').where('entry_id', 'in', ids).execute()
  const uses = entries.flatMap(({ id, body, data }) =>
    [...namesInText(body).union(namesInValues(data))].map((name) => ({ entry_id: id, name })),
  )
  for (const rows of chunksOf(uses)) await db.insertInto('picture_uses').values(rows).execute()
}

/** Lists the names that entries use, whether or not there is such a picture: of all entries, or of these. */
export async function listNamesInUse(db: Db, entryIds?: readonly number[]): Promise<Set<string>> {
  const names = new Set<string>()
  const uses = db.selectFrom('picture_uses').select('name').distinct()
  for (const ids of entryIds ? chunksOf(entryIds) : [undefined])
    for (const { name } of await (ids ? uses.where('entry_id', 'in', ids) : uses).execute()) names.add(name)
  return names
}

/** Lists the IDs of the entries that use a picture. */
export async function listEntriesNaming(db: Db, name: string, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('picture_uses')
    .select('entry_id')
    .where('name', '=', name)
    .orderBy('entry_id')
    .limit(limit)
    .execute()
  return rows.map(({ entry_id }) => entry_id)
}

/** Counts the entries that use each of these pictures. */
export async function countUses(db: Db, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('picture_uses')
    .select(({ fn }) => ['name', fn.countAll<number>().as('uses')])
    .where('name', 'in', names)
    .groupBy('name')
    .execute()
  return new Map(rows.map(({ name, uses }) => [name, Number(uses)]))
}
