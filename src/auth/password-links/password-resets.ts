import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { accountActivity } from '../../messages/admin/activity.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import type { Administrator } from '../administrator.ts'
import { findAccount, lockAdministrator, updatePassword } from '../administrator-store.ts'
import { appendAuditEntry } from '../audit/audit-chain.ts'
import { hashPassword } from '../password-hash.ts'
import { findPasswordMistake } from '../passwords/password-rules.ts'
import { deleteSessions } from '../session-store.ts'
import { type TooManyFailures, tryWithinLimits } from '../sign-in-limits.ts'
import { hashToken, makeToken } from '../token.ts'
import { deleteLink, findUserOfLink, upsertLink } from './password-link-store.ts'

/** Validity of a link. */
export const RESET_MINUTES = 30

const RESET_MS = RESET_MINUTES * 60 * 1_000

/**
 * Counts a request for a link. Returns undefined, or when to try again if the address or account made too
 * many. The limits match those of failed sign-ins but are counted separately, also for unknown accounts.
 */
export async function countResetRequest(
  db: Db,
  { email, address }: { email: string; address: string },
  { now }: { now: Date },
): Promise<TooManyFailures | undefined> {
  const limited = { account: `reset ${email}`, address: `reset ${address}` }
  const counted = await tryWithinLimits(db, limited, { now, attempt: async () => false })
  return counted.kind === 'too_many' ? counted : undefined
}

/**
 * Makes a link for the user with that email address and replaces any earlier one; undefined for unknown,
 * disabled, and invited users. Only the token's SHA-256 is stored.
 */
export async function makeReset(
  db: Kysely<Schema>,
  email: string,
  { now }: { now: Date },
): Promise<string | undefined> {
  const account = await findAccount(db, email)
  if (!account?.passwordHash || account.administrator.disabledAt !== null) return undefined
  const token = makeToken()
  const expiresAt = new Date(now.getTime() + RESET_MS)
  const userId = account.administrator.id
  await upsertLink(db, 'admin_password_resets', { userId, tokenHash: hashToken(token), expiresAt })
  return token
}

/**
 * Returns the user of a link; undefined if the token is wrong, used, replaced, or expired, or the account is
 * disabled.
 */
export function findReset(db: Db, token: string, { now }: { now: Date }): Promise<Administrator | undefined> {
  const until = new Date(now.getTime() + RESET_MS)
  return findUserOfLink(db, 'admin_password_resets', hashToken(token), { now, until })
}

/**
 * Sets a new password, ends all of the account's sessions, and uses up the link. Two-step sign-in stays on,
 * and the link doesn't sign anyone in. Returns the user.
 */
export async function resetPassword(
  db: Kysely<Schema>,
  { token, password, address }: { token: string; password: string; address: string },
  { now }: { now: Date },
): Promise<Outcome<Administrator, AdminProblem>> {
  const asked = await findReset(db, token, { now })
  if (!asked) return { kind: 'not_found' }
  const problem = await findPasswordMistake(password, [asked.email, asked.name ?? ''])
  if (problem) return { kind: 'invalid', problems: [problem] }
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    await lockAdministrator(trx, asked.id)
    const user = await findReset(trx, token, { now })
    if (!user || !(await deleteLink(trx, 'admin_password_resets', hashToken(token))))
      return { kind: 'not_found' }
    const { id, email } = user
    await updatePassword(trx, id, passwordHash)
    await deleteSessions(trx, id)
    const subject = { subjectType: 'user', subjectId: id }
    const summary = accountActivity.passwordReset
    const entry = { userId: id, userEmail: email, ...subject, address, summary }
    await appendAuditEntry(trx, { ...entry, action: 'user.password_reset' }, { now })
    return { kind: 'saved', value: user }
  })
}
