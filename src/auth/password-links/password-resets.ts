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

/** Time in which a link can be used. */
export const RESET_MINUTES = 30

const RESET_MS = RESET_MINUTES * 60 * 1_000

/**
 * Counts a request for a link, and returns undefined, or when too many came from the address or for the account. The same
 * for unknown accounts: the limits are those of failed sign-ins, in a count of their own.
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
 * Makes a link for the user with that address, which replaces a former one; undefined for unknown, disabled, and invited
 * users. The token is stored nowhere: only its SHA-256 is.
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

/** Returns who a link is for; undefined when the token is wrong, used, replaced, or expired, or the account is off. */
export function findReset(db: Db, token: string, { now }: { now: Date }): Promise<Administrator | undefined> {
  const until = new Date(now.getTime() + RESET_MS)
  return findUserOfLink(db, 'admin_password_resets', hashToken(token), { now, until })
}

/**
 * Sets a new password and ends all sessions of the account. The link is used up then. Two-step sign-in stays: nobody is
 * signed in by a link. Returns whose password it is.
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
