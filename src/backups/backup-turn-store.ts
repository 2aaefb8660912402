import { agoAsText, engineOf, nowAsText } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'

const DAY_SECONDS = 86_400
/** The server that made the last one has priority, so that its folder has one for each day. */
const OTHERS_AFTER_SECONDS = DAY_SECONDS + 7_200
/** A server whose claim is this old has died. */
const LOST_SECONDS = 6 * 3_600

/** The newest of the daily backups on PostgreSQL. */
export interface LastBackup {
  /** Name of its file. */
  name: string
  /** Host and DATA_DIR of the server that has it. */
  server: string
  /** UTC text. */
  madeAt: string
}

/** Claims today's backup for this server; false if it isn't due, or another server makes it. */
export async function claimBackup(db: Db, server: string): Promise<boolean> {
  const engine = engineOf(db)
  const { numUpdatedRows } = await db
    .updateTable('daily_backups')
    .set({ claimed_at: nowAsText(engine) })
    .where((row) =>
      row.or([row('claimed_at', 'is', null), row('claimed_at', '<', agoAsText(engine, LOST_SECONDS))]),
    )
    .where((row) =>
      row.or([
        row('made_at', 'is', null),
        row('made_at', '<', agoAsText(engine, OTHERS_AFTER_SECONDS)),
        row.and([row('server', '=', server), row('made_at', '<', agoAsText(engine, DAY_SECONDS))]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a claim: with the name of the backup, or without one so that any server tries again. */
export async function settleBackup(db: Db, made?: Pick<LastBackup, 'name' | 'server'>): Promise<void> {
  const values = made && { ...made, made_at: nowAsText(engineOf(db)) }
  await db
    .updateTable('daily_backups')
    .set({ claimed_at: null, ...values })
    .execute()
}

/** Forgets the last backup, so that any server makes one. A restored database names that of the site it came from. */
export async function forgetBackups(db: Db): Promise<void> {
  await db
    .updateTable('daily_backups')
    .set({ claimed_at: null, server: null, name: null, made_at: null })
    .execute()
}

export async function findLastBackup(db: Db): Promise<LastBackup | undefined> {
  const row = await db.selectFrom('daily_backups').select(['name', 'server', 'made_at']).executeTakeFirst()
  if (!row?.name || !row.server || !row.made_at) return undefined
  return { name: row.name, server: row.server, madeAt: row.made_at }
}
