import type { Selectable } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { FromRow } from '../db/tables/columns.ts'

/** One sign-in of one administrator in one browser. */
export type Session = FromRow<Omit<Selectable<Schema['admin_sessions']>, 'user_id' | 'token_sha256'>>

/** Ends a session after this idle time. */
export const IDLE_MS = 12 * 60 * 60 * 1_000
/** Maximum lifetime of a session. */
export const LIFETIME_MS = 7 * 24 * 60 * 60 * 1_000

const PASSWORD_GOOD_MS = 15 * 60 * 1_000

/** Returns whether the password was entered recently enough to skip asking again for secrets, users, and exports. */
export function hasFreshPassword({ passwordCheckedAt }: Session, { now }: { now: Date }): boolean {
  // The time may be in the future if the clock was set back.
  return Math.abs(now.getTime() - Date.parse(passwordCheckedAt)) < PASSWORD_GOOD_MS
}
