import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { Failure } from '../lib/messages.ts'
import type { Outcome } from '../lib/outcome.ts'
import { accountActivity } from '../messages/admin/activity.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import { problemTexts } from '../messages/command-line/problems.ts'
import type { Administrator } from './administrator.ts'
import { findAccount, updateDisabled, updatePassword } from './administrator-store.ts'
import { appendAuditEntry } from './audit/audit-chain.ts'
import { createAdministrator } from './create-administrator.ts'
import { hashPassword } from './password-hash.ts'
import { type Access, changeAccess, findAccessProblems } from './roles/change-access.ts'
import { type Limits, NO_LIMITS, type Role } from './roles/role.ts'
import { deleteSessions } from './session-store.ts'
import { deleteSecondFactors } from './two-factors.ts'

/**
 * Creates an account, or resets an existing one: sets its password and, if given, its role and limits,
 * enables it, and ends its sessions. For commands on the server only.
 */
export async function setUpAccount(
  db: Kysely<Schema>,
  { email, password, ...access }: { email: string; password: string; role?: Role; limits?: Limits },
  { now }: { now: Date },
): Promise<Outcome<'created' | 'reset', AdminProblem, 'last_one'>> {
  const former = (await findAccount(db, email))?.administrator
  const wanted = { role: former?.role ?? 'owner', limits: former?.limits ?? NO_LIMITS, ...access }
  const problems = await findAccessProblems(db, { actorId: undefined, access: wanted })
  if (problems.length > 0) return { kind: 'invalid', problems }
  const created = await createAdministrator(db, { email, name: null, password, ...wanted }, { now })
  if (created.kind === 'invalid' && created.problems.some(({ code }) => code !== 'email_taken'))
    return created
  if (created.kind === 'saved') {
    const entry = { action: 'user.set_up', summary: accountActivity.commandLine.created }
    await writeDown(db, { id: created.value, email }, entry, now)
    return { kind: 'saved', value: 'created' }
  }
  const changed = await changeAccessOf(db, former, access, { wanted, now })
  if (changed?.kind === 'refused') return changed
  const passwordHash = await hashPassword(password)
  await db.transaction().execute(async (trx) => {
    const account = await findAccount(trx, email)
    if (!account) throw new Failure(problemTexts, 'accountGone', email)
    const { id } = account.administrator
    await updatePassword(trx, id, passwordHash)
    await updateDisabled(trx, id, null)
    await deleteSessions(trx, id)
    const entry = { action: 'user.set_up', summary: accountActivity.commandLine.passwordSet }
    await writeDown(trx, { id, email }, entry, now)
  })
  return { kind: 'saved', value: 'reset' }
}

// Changes only what was given: resetting the password keeps role and limits.
async function changeAccessOf(
  db: Kysely<Schema>,
  former: Administrator | undefined,
  asked: Partial<Access>,
  { wanted, now }: { wanted: Access; now: Date },
): Promise<{ kind: 'refused'; code: 'last_one' } | undefined> {
  if (!former || (asked.role === undefined && asked.limits === undefined)) return undefined
  const changed = await changeAccess(db, { actorId: undefined, userId: former.id, access: wanted })
  if (changed.kind === 'refused') return changed
  const entry = { action: 'user.access_changed', summary: accountActivity.commandLine.accessSet }
  await writeDown(db, former, entry, now)
  return undefined
}

/**
 * Removes an account's authenticator app, recovery codes, and passkeys, and ends its sessions. The password
 * stays. Only for commands on the server.
 */
export function resetTwoFactorsOf(
  db: Kysely<Schema>,
  email: string,
  { now }: { now: Date },
): Promise<{ kind: 'reset' | 'not_set_up' | 'unknown' }> {
  return db.transaction().execute(async (trx) => {
    const { administrator } = (await findAccount(trx, email)) ?? {}
    if (!administrator) return { kind: 'unknown' }
    if (!administrator.hasTwoFactors && !administrator.hasPasskeys) return { kind: 'not_set_up' }
    await deleteSecondFactors(trx, administrator.id)
    const summary = accountActivity.commandLine.twoStepReset
    await writeDown(trx, administrator, { action: 'user.two_factors_reset', summary }, now)
    return { kind: 'reset' }
  })
}

function writeDown(
  db: Db,
  { id, email }: { id: number; email: string },
  entry: { action: string; summary: string },
  now: Date,
) {
  const subject = { subjectType: 'user', subjectId: id, address: accountActivity.commandLine.address }
  return appendAuditEntry(db, { userId: id, userEmail: email, ...entry, ...subject }, { now })
}
