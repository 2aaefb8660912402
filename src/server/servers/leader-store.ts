import { agoAsText, engineOf, nowAsText } from '../../db/dialects.ts'
import type { Db } from '../../db/schema.ts'

/** Three missed heartbeats; then another server takes over. */
export const LEAD_SECONDS = 30

/** Takes or keeps the daily work for this server; false while another one does it. */
export async function takeLead(db: Db, serverId: string): Promise<boolean> {
  const engine = engineOf(db)
  const { numUpdatedRows } = await db
    .updateTable('site_leader')
    .set({ server_id: serverId, renewed_at: nowAsText(engine) })
    .where((row) =>
      row.or([
        row('server_id', 'is', null),
        row('server_id', '=', serverId),
        row('renewed_at', '<', agoAsText(engine, LEAD_SECONDS)),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lets another server take over at once. */
export async function leaveLead(db: Db, serverId: string): Promise<void> {
  await db
    .updateTable('site_leader')
    .set({ server_id: null, renewed_at: null })
    .where('server_id', '=', serverId)
    .execute()
}

/** Returns whether the work was last done at least this many milliseconds ago, or never. */
export async function isDue(db: Db, name: string, everyMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('daily_work')
    .select('name')
    .where('name', '=', name)
    .where('done_at', '>', agoAsText(engineOf(db), everyMs / 1_000))
    .executeTakeFirst()
  return row === undefined
}

export async function noteDone(db: Db, name: string): Promise<void> {
  const done_at = nowAsText(engineOf(db))
  await db
    .insertInto('daily_work')
    .values({ name, done_at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ done_at }))
    .execute()
}
