import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import type { CountSeries, CountSource } from '../../db/tables/count-tables.ts'

export interface DailyCount {
  day: string
  series: CountSeries
  subject: string
  count: number
}

/** Lists the counts of the days from this one on. */
export async function listDailyCounts(db: Db, { fromDay }: { fromDay: string }): Promise<DailyCount[]> {
  const rows = await db
    .selectFrom('daily_counts')
    .select(['day', 'series', 'subject', 'count'])
    .where('day', '>=', fromDay)
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}

/** Adds to the stored counts. */
export async function addDailyCounts(db: Db, counts: readonly DailyCount[]): Promise<void> {
  if (counts.length === 0) return
  await db
    .insertInto('daily_counts')
    .values(counts)
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'series', 'subject'])
        .doUpdateSet({ count: sql`daily_counts.count + excluded.count` }),
    )
    .execute()
}

/** Selects the last counted ID, for the query that counts the rest. */
export function selectCursor(source: CountSource): RawBuilder<number> {
  return sql<number>`coalesce((select last_id from count_cursors where source = ${source}), 0)`
}

export async function findCursors(db: Db): Promise<Record<CountSource, number>> {
  const rows = await db.selectFrom('count_cursors').select(['source', 'last_id']).execute()
  const cursors = { submissions: 0, attempts: 0 }
  for (const { source, last_id } of rows) cursors[source] = Number(last_id)
  return cursors
}

/** Returns false when another process moved the cursor: its counts must not be added twice. */
export async function moveCursor(
  db: Db,
  source: CountSource,
  { from, to }: { from: number; to: number },
): Promise<boolean> {
  const result = await db
    .updateTable('count_cursors')
    .set({ last_id: to })
    .where('source', '=', source)
    .where('last_id', '=', from)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
