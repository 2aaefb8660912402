import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'

/** Counts pending deliveries, paused ones included, with the due time of the oldest (UTC text). */
export async function countWaitingDeliveries(db: Db): Promise<{ count: number; dueSince: string | null }> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('next_attempt_at').as('dueSince')])
    .where('status', '=', sql.lit('pending' as const))
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), dueSince: row.dueSince }
}
