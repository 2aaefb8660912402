import type { Db } from '../db/schema.ts'

/** Finds what is needed to check an account's codes: the encrypted secret and the time step of the last code. */
export function findTwoFactors(db: Db, userId: number) {
  return db
    .selectFrom('admin_users')
    .select(['totp_secret as sealedSecret', 'totp_last_step as lastStep'])
    .where('id', '=', userId)
    .executeTakeFirst()
}

/** Stores an unconfirmed secret, unless the account has a confirmed one. */
export async function insertTotpSecret(db: Db, userId: number, sealedSecret: string): Promise<void> {
  await db
    .updateTable('admin_users')
    .set({ totp_secret: sealedSecret, totp_last_step: null })
    .where('id', '=', userId)
    .where('totp_confirmed_at', 'is', null)
    .execute()
}

/** The encrypted secrets, by account. */
export async function listTotpSecrets(db: Db): Promise<{ userId: number; sealedSecret: string }[]> {
  const rows = await db
    .selectFrom('admin_users')
    .select(['id', 'totp_secret'])
    .where('totp_secret', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ userId: row.id, sealedSecret: String(row.totp_secret) }))
}

/** Stores the re-encrypted secret, unless the user has replaced it in the meantime. */
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

/** Uses up a time step; returns false if it or a later one was used before. */
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

/** Replaces an account's recovery codes. Only their hashes are stored. */
export async function replaceRecoveryCodes(db: Db, userId: number, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('admin_recovery_codes').where('user_id', '=', userId).execute()
  const rows = hashes.map((hash) => ({ user_id: userId, code_sha256: hash }))
  await db.insertInto('admin_recovery_codes').values(rows).execute()
}

/** Uses up a recovery code; returns false if no stored hash matches. */
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
