import type { Db } from '../../db/schema.ts'
import type { Administrator } from '../administrator.ts'
import { toAdministrator } from '../administrator-store.ts'

/** Stores the link of a user, in place of a former one. */
export async function upsertReset(
  db: Db,
  userId: number,
  { tokenHash, expiresAt }: { tokenHash: string; expiresAt: Date },
): Promise<void> {
  const columns = { token_sha256: tokenHash, expires_at: expiresAt.toISOString() }
  await db
    .insertInto('admin_password_resets')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Returns whose link it is: a user with a password whose account is on; undefined when the link does not count. */
export async function findUserOfReset(
  db: Db,
  tokenHash: string,
  { now, until }: { now: Date; until: Date },
): Promise<Administrator | undefined> {
  const row = await db
    .selectFrom('admin_password_resets as reset')
    .innerJoin('admin_users as user', 'user.id', 'reset.user_id')
    .selectAll('user')
    .where('token_sha256', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .where('expires_at', '<=', until.toISOString())
    .where('password_hash', 'is not', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && toAdministrator(row)
}

/** Takes a link; false when it was taken or replaced before. */
export async function deleteReset(db: Db, tokenHash: string): Promise<boolean> {
  const result = await db
    .deleteFrom('admin_password_resets')
    .where('token_sha256', '=', tokenHash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
