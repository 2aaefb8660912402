import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { addUp, type Happening } from './result-keys.ts'

const ROWS = 100

/** Views and phone taps of a page. */
export type Traffic = Happening & { views: number; taps: number }

/** Adds to the sums, in the caller's transaction. */
export async function addTraffic(db: Db, traffic: readonly Traffic[]): Promise<void> {
  const sums = addUp(traffic, ['views', 'taps'])
  for (let at = 0; at < sums.length; at += ROWS) {
    await db
      .insertInto('traffic_counts')
      .values(sums.slice(at, at + ROWS))
      .onConflict((conflict) =>
        conflict.columns(['period', 'dimension', 'subject', 'place']).doUpdateSet({
          views: sql`traffic_counts.views + excluded.views`,
          taps: sql`traffic_counts.taps + excluded.taps`,
        }),
      )
      .execute()
  }
}

/** Deletes daily sums before this day. Monthly and yearly sums stay. */
export async function deleteDailyTraffic(db: Db, { before }: { before: string }): Promise<void> {
  await db
    .deleteFrom('traffic_counts')
    .where('dimension', '=', 'all')
    .where('period', '<', before)
    .where(({ fn }) => fn<number>('length', ['period']), '=', 10)
    .execute()
}
