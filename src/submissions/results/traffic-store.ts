import type { Db } from '../../db/schema.ts'
import { addUp, type Happening } from './result-keys.ts'
import { addSums } from './sum-store.ts'

/** Views and phone taps of a page. */
export type Traffic = Happening & { views: number; taps: number }

/** Adds to the sums, in the caller's transaction. */
export async function addTraffic(db: Db, traffic: readonly Traffic[]): Promise<void> {
  const sums = addUp(traffic, ['views', 'taps'])
  await addSums(db, 'traffic_counts', sums)
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
