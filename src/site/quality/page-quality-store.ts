import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../../db/schema.ts'
import type { PageQuality, QualityFacts } from './page-quality.ts'

const ROWS_PER_STATEMENT = 500

/** The quality of a page as a publish found it; its address may be another by now. */
export type RecordedQuality = Omit<PageQuality, 'path'>

type Row = Selectable<Schema['page_quality']>

const factsColumn: z.ZodType<QualityFacts> = z.object({
  ownWords: z.int(),
  copied: z.number(),
  twinPath: z.string().nullable(),
  pageWords: z.int(),
  placeWords: z.int(),
  hasAddress: z.boolean(),
  hasPhone: z.boolean(),
  hasMap: z.boolean(),
  testimonial: z.enum(['service', 'other']).nullable(),
  placesBelow: z.int(),
})

/** Makes the stored quality of all location pages this; only what differs is written. To be called inside a transaction. */
export async function replacePageQuality(db: Db, pages: readonly RecordedQuality[]): Promise<void> {
  const stored = new Map(
    (await db.selectFrom('page_quality').selectAll().execute()).map((row) => [row.entry_id, row]),
  )
  const changed: Row[] = []
  for (const page of pages) {
    const row = toRow(page)
    if (!isSame(stored.get(row.entry_id), row)) changed.push(row)
    stored.delete(row.entry_id)
  }
  await upsert(db, changed)
  await remove(db, [...stored.keys()])
}

/** Pages that search engines are asked not to list, lowest score first. */
export async function listUnlistedPages(
  db: Db,
  { limit }: { limit: number },
): Promise<(RecordedQuality & { slug: string })[]> {
  const rows = await db
    .selectFrom('page_quality')
    .innerJoin('content_entries', 'content_entries.id', 'page_quality.entry_id')
    .selectAll('page_quality')
    .select('slug')
    .where('is_listed', '=', 0)
    .orderBy('score')
    .orderBy('entry_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...toPageQuality(row), slug: row.slug }))
}

async function upsert(db: Db, rows: readonly Row[]) {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await db
      .insertInto('page_quality')
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .onConflict((conflict) =>
        conflict.column('entry_id').doUpdateSet((row) => ({
          score: row.ref('excluded.score'),
          is_listed: row.ref('excluded.is_listed'),
          facts_json: row.ref('excluded.facts_json'),
        })),
      )
      .execute()
  }
}

async function remove(db: Db, entryIds: readonly number[]) {
  for (let start = 0; start < entryIds.length; start += ROWS_PER_STATEMENT) {
    const chunk = entryIds.slice(start, start + ROWS_PER_STATEMENT)
    await db.deleteFrom('page_quality').where('entry_id', 'in', chunk).execute()
  }
}

function isSame(before: Row | undefined, row: Row): boolean {
  return (
    before?.score === row.score && before.is_listed === row.is_listed && before.facts_json === row.facts_json
  )
}

function toRow({ entryId, score, isListed, facts }: RecordedQuality): Row {
  return { entry_id: entryId, score, is_listed: isListed ? 1 : 0, facts_json: JSON.stringify(facts) }
}

function toPageQuality(row: Row): RecordedQuality {
  return {
    entryId: row.entry_id,
    score: row.score,
    isListed: row.is_listed === 1,
    facts: factsColumn.parse(JSON.parse(row.facts_json)),
  }
}
