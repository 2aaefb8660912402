import type { Db } from '../db/schema.ts'

/** Finds the data that checks an account's codes: the sealed secret, and the time step of the last code. */
export function findTwoFactors(db: Db, userId: number) {
  return db
    .selectFrom('admin_users')
    .select(['totp_secret as sealedSecret', 'totp_last_step as lastStep'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Keeps a secret that does not count before it is confirmed; not while another one counts. */
export async function insertTotpSecret(db: Db, userId: number, sealedSecret: string): Promise<void> {
  await db
    .updateTable('admin_users')
    .set({ totp_secret: sealedSecret, totp_last_step: null })
    .where('id', '=', userId)
    .where('totp_confirmed_at', 'is', null)
    .execute()
}

/** The sealed secret of each account that has one. */
export async function listTotpSecrets(db: Db): Promise<{ userId: number; sealedSecret: string }[]> {
  const rows = await db
    .selectFrom('admin_users')
    .select(['id', 'totp_secret'])
    .where('totp_secret', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ userId: row.id, sealedSecret: String(row.totp_secret) }))
}

/** Stores the same secret sealed again, unless the user replaced it meanwhile. */
export async function replaceSealedTotp(
  db: Db,
  userId: number,
  { former, now }: { former: string; now: string },
): Promise<void> {
  await db
    .updateTable('admin_users')
    .set({ totp_secret: now })
    .where('id', '=', userId)
    .where('totp_secret', '=', former)
    .execute()
}

export async function confirmTotp(db: Db, userId: number, { now }: { now: Date }): Promise<void> {
  const columns = { totp_confirmed_at: now.toISOString() }
  await db.updateTable('admin_users').set(columns).where('id', '=', userId).execute()
}

/** Uses up a time step; false when it or a later one was used before. */
export async function spendTotpStep(db: Db, userId: number, step: number): Promise<boolean> {
  const result = await db
    .updateTable('admin_users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where(({ eb, or }) => or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function deleteTwoFactors(db: Db, userId: number): Promise<void> {
  const columns = { totp_secret: null, totp_confirmed_at: null, totp_last_step: null }
  await db.updateTable('admin_users').set(columns).where('id', '=', userId).execute()
  await db.deleteFrom('admin_recovery_codes').where('user_id', '=', userId).execute()
}

/** Replaces the recovery codes of an account; only their hashes are kept. */
export async function replaceRecoveryCodes(db: Db, userId: number, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('admin_recovery_codes').where('user_id', '=', userId).execute()
  const rows = hashes.map((hash) => ({ user_id: userId, code_sha256: hash }))
  await db.insertInto('admin_recovery_codes').values(rows).execute()
}

/** Uses up a recovery code; false when no code has that hash. */
export async function spendRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const result = await db
    .deleteFrom('admin_recovery_codes')
    .where('user_id', '=', userId)
    .where('code_sha256', '=', hash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('admin_recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}
