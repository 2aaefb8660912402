import type { Db } from '../db/schema.ts'
import { fromRow, type ToRow, toRow } from '../db/tables/columns.ts'
import type { Administrator } from './administrator.ts'
import { hasPasskeys, toAdministrator } from './administrator-store.ts'
import { IDLE_MS, LIFETIME_MS, type Session } from './session.ts'
import { REQUIREMENT_KEY } from './two-factor-settings-store.ts'

export type NewSession = Pick<Session, 'address' | 'userAgent' | 'secondFactor'> & {
  userId: number
  tokenSha256: string
}

export async function insertSession(db: Db, session: NewSession, { now }: { now: Date }): Promise<number> {
  const at = now.toISOString()
  const row = await db
    .insertInto('admin_sessions')
    .values(toRow({ ...session, createdAt: at, lastSeenAt: at, passwordCheckedAt: at }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A session with its user. */
export interface OpenSession {
  session: Session
  administrator: Administrator
  /** True if two-step sign-in is required and this user hasn't set it up. */
  lacksTwoFactors: boolean
}

/**
 * Returns the session of a token with its user; undefined if it has ended or the account is disabled. Where
 * two-step sign-in is required, sessions opened with a password alone become invalid once the account has a
 * passkey.
 */
export async function findOpenSession(
  db: Db,
  tokenHash: string,
  { now }: { now: Date },
): Promise<OpenSession | undefined> {
  const row = await db
    .selectFrom('admin_sessions as session')
    .innerJoin('admin_users as user', 'user.id', 'session.user_id')
    .selectAll('user')
    .select(hasPasskeys)
    .select(['session.id as session_id', 'session.created_at as session_created_at'])
    .select(['last_seen_at', 'password_checked_at', 'address', 'user_agent', 'second_factor'])
    .select(({ exists, selectFrom }) =>
      exists(selectFrom('settings').select('key').where('key', '=', REQUIREMENT_KEY)).as('is_required'),
    )
    .where('token_sha256', '=', tokenHash)
    .where('session.created_at', '>', before(now, LIFETIME_MS))
    .where('last_seen_at', '>', before(now, IDLE_MS))
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  const session = toSession({ ...row, id: row.session_id, created_at: row.session_created_at })
  const administrator = toAdministrator(row)
  const isMissing = Boolean(row.is_required) && !administrator.hasTwoFactors
  // The session was opened with a password alone, and the account has a passkey, which covers both factors.
  if (isMissing && administrator.hasPasskeys && session.secondFactor === null) return undefined
  return { session, administrator, lacksTwoFactors: isMissing && !administrator.hasPasskeys }
}

/** Open sessions of a user, most recently used first. */
export async function listOpenSessions(db: Db, userId: number, { now }: { now: Date }): Promise<Session[]> {
  const rows = await db
    .selectFrom('admin_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('created_at', '>', before(now, LIFETIME_MS))
    .where('last_seen_at', '>', before(now, IDLE_MS))
    .orderBy('last_seen_at', 'desc')
    .execute()
  return rows.map(toSession)
}

export async function touchSession(db: Db, id: number, { now }: { now: Date }): Promise<void> {
  await db
    .updateTable('admin_sessions')
    .set({ last_seen_at: now.toISOString() })
    .where('id', '=', id)
    .execute()
}

export async function updatePasswordChecked(db: Db, id: number, { now }: { now: Date }): Promise<void> {
  const columns = { password_checked_at: now.toISOString() }
  await db.updateTable('admin_sessions').set(columns).where('id', '=', id).execute()
}

/** Records that a second factor was set up in this session. */
export async function updateSecondFactor(
  db: Db,
  id: number,
  factor: NonNullable<Session['secondFactor']>,
): Promise<void> {
  await db.updateTable('admin_sessions').set({ second_factor: factor }).where('id', '=', id).execute()
}

export async function updateToken(db: Db, id: number, tokenHash: string): Promise<void> {
  await db.updateTable('admin_sessions').set({ token_sha256: tokenHash }).where('id', '=', id).execute()
}

/** Returns whether an administrator still has this session. */
export async function hasSession(db: Db, id: number, { userId }: { userId: number }): Promise<boolean> {
  const query = db
    .selectFrom('admin_sessions')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
  return (await query.executeTakeFirst()) !== undefined
}

/** Ends one of the user's sessions; returns false if there is no such session. */
export async function deleteSession(db: Db, id: number, { userId }: { userId: number }): Promise<boolean> {
  const result = await db
    .deleteFrom('admin_sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Ends all of a user's sessions except `except`. */
export async function deleteSessions(
  db: Db,
  userId: number,
  { except }: { except?: number | undefined } = {},
): Promise<void> {
  const query = db.deleteFrom('admin_sessions').where('user_id', '=', userId)
  await (except === undefined ? query : query.where('id', '!=', except)).execute()
}

/** Ends all sessions of all users except `except`. */
export async function deleteEverySession(db: Db, { except }: { except: number }): Promise<void> {
  await db.deleteFrom('admin_sessions').where('id', '!=', except).execute()
}

/** Deletes the rows of expired sessions. */
export async function deleteEndedSessions(db: Db, { now }: { now: Date }): Promise<void> {
  await db
    .deleteFrom('admin_sessions')
    .where(({ eb, or }) =>
      or([eb('created_at', '<=', before(now, LIFETIME_MS)), eb('last_seen_at', '<=', before(now, IDLE_MS))]),
    )
    .execute()
}

function before(now: Date, ms: number): string {
  return new Date(now.getTime() - ms).toISOString()
}

function toSession(row: ToRow<Session>): Session {
  const { id, created_at, last_seen_at, password_checked_at, address, user_agent, second_factor } = row
  return fromRow({
    ...{ id, created_at, last_seen_at, password_checked_at },
    ...{ address, user_agent, second_factor },
  })
}
