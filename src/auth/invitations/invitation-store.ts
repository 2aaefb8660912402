import type { Db } from '../../db/schema.ts'
import type { Administrator } from '../administrator.ts'
import { toAdministrator } from '../administrator-store.ts'

/** When a stored invitation counts: it expires in this span. */
export interface OpenSpan {
  now: Date
  /** The latest end that an invitation of now can have. A clock that was set back makes none last longer. */
  until: Date
}

/** Stores the invitation of a user, in place of a former one. */
export async function upsertInvitation(
  db: Db,
  userId: number,
  { tokenHash, expiresAt }: { tokenHash: string; expiresAt: Date },
): Promise<void> {
  const columns = { token_sha256: tokenHash, expires_at: expiresAt.toISOString() }
  await db
    .insertInto('admin_invitations')
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Returns when the invitation of a user expires; undefined when there is none. */
export async function findInvitationEnd(db: Db, userId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('admin_invitations')
    .select('expires_at')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.expires_at
}

/** Returns who is invited: a user without a password whose account is on; undefined when the invitation does not count. */
export async function findInvitedUser(
  db: Db,
  tokenHash: string,
  { now, until }: OpenSpan,
): Promise<Administrator | undefined> {
  const row = await db
    .selectFrom('admin_invitations as invitation')
    .innerJoin('admin_users as user', 'user.id', 'invitation.user_id')
    .selectAll('user')
    .where('token_sha256', '=', tokenHash)
    .where('expires_at', '>', now.toISOString())
    .where('expires_at', '<=', until.toISOString())
    .where('password_hash', 'is', null)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && toAdministrator(row)
}

/** Uses up an invitation; false when it was used or renewed before. */
export async function deleteInvitation(db: Db, tokenHash: string): Promise<boolean> {
  const result = await db
    .deleteFrom('admin_invitations')
    .where('token_sha256', '=', tokenHash)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Ends the invitation of a user, if there is one. */
export async function deleteInvitationOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('admin_invitations').where('user_id', '=', userId).execute()
}
