import { sql } from 'kysely'
import { engineOf } from '../db/dialects.ts'
import type { Db } from '../db/schema.ts'

const WEEK_MS = 7 * 86_400_000

/** Stores the hash of a code. On SQLite, where there is one server, it replaces all earlier codes. */
export async function saveSetupCode(db: Db, codeHash: string, { now }: { now: Date }): Promise<void> {
  const before = engineOf(db) === 'sqlite' ? now : new Date(now.getTime() - WEEK_MS)
  await db.deleteFrom('setup_codes').where('created_at', '<=', before.toISOString()).execute()
  await db
    .insertInto('setup_codes')
    .values({ code_hash: codeHash, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function hasSetupCode(db: Db, codeHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('setup_codes')
    .select('code_hash')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteSetupCodes(db: Db): Promise<void> {
  await db.deleteFrom('setup_codes').execute()
}

/** Blocks other servers from creating the first account at the same time. SQLite allows only one writer anyway. */
export async function lockFirstAccount(db: Db): Promise<void> {
  if (engineOf(db) === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtext('signpost first account'))`.execute(db)
}
