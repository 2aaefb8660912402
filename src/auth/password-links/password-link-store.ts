import type { Db } from '../../db/schema.ts'
import type { Administrator } from '../administrator.ts'
import { hasPasskeys, toAdministrator } from '../administrator-store.ts'

/** The tables of links for setting a password. Each holds at most one link per user. */
export type LinkTable = 'admin_invitations' | 'admin_password_resets'

/** A stored link is valid if it expires within this span. */
interface OpenSpan {
  now: Date
  /** The latest possible expiry of a link made now, so that a clock set back doesn't extend one. */
  until: Date
}

/** Stores a user's link and replaces any earlier one. */
export async function upsertLink(
  db: Db,
  table: LinkTable,
  { userId, tokenHash, expiresAt }: { userId: number; tokenHash: string; expiresAt: Date },
): Promise<void> {
  const columns = { token_sha256: tokenHash, expires_at: expiresAt.toISOString() }
  await db
    .insertInto(table)
    .values({ user_id: userId, ...columns })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
    .execute()
}

/** Returns when a user's link expires; undefined if there is none. */
export async function findLinkEnd(db: Db, table: LinkTable, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom(table).select('expires_at').where('user_id', '=', userId).executeTakeFirst()
  return row?.expires_at
}

/** Returns the user of a link; undefined if it is invalid or the account is disabled. */
export async function findUserOfLink(
  db: Db,
  table: LinkTable,
  tokenHash: string,
  { now, until }: OpenSpan,
): Promise<Administrator | undefined> {
  const row = await db
    .selectFrom('admin_users as user')
    .innerJoin(`${table} as link`, 'link.user_id', 'user.id')
    .selectAll('user')
    .select(hasPasskeys)
    .where('link.token_sha256', '=', tokenHash)
    .where('link.expires_at', '>', now.toISOString())
    .where('link.expires_at', '<=', until.toISOString())
    .where('user.password_hash', table === 'admin_invitations' ? 'is' : 'is not', null)
    .where('user.disabled_at', 'is', null)
    .executeTakeFirst()
  return row && toAdministrator(row)
}

/** Uses up a link; returns false if it was used or replaced before. */
export async function deleteLink(db: Db, table: LinkTable, tokenHash: string): Promise<boolean> {
  const result = await db.deleteFrom(table).where('token_sha256', '=', tokenHash).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Deletes a user's link, if there is one. */
export async function deleteLinkOf(db: Db, table: LinkTable, userId: number): Promise<void> {
  await db.deleteFrom(table).where('user_id', '=', userId).execute()
}
