import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { accountActivity } from '../../messages/admin/activity.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import type { Administrator } from '../administrator.ts'
import {
  findAdministrator,
  insertAdministrator,
  updateLastSignIn,
  updatePassword,
} from '../administrator-store.ts'
import { appendAuditEntry } from '../audit/audit-chain.ts'
import { hashPassword } from '../password-hash.ts'
import { findPasswordMistake } from '../passwords/password-rules.ts'
import { type Access, findAccessProblems } from '../roles/change-access.ts'
import { startSession, type Visitor } from '../sessions.ts'
import { hashToken, makeToken } from '../token.ts'
import { deleteLink, findUserOfLink, upsertLink } from './password-link-store.ts'

/** Validity of an invitation. */
export const INVITATION_HOURS = 72

const INVITATION_MS = INVITATION_HOURS * 60 * 60 * 1_000

/** An invitation: user, role, and inviter. There is no inviter on the command line. */
export interface Invited extends Pick<Administrator, 'email' | 'name'> {
  access: Access
  actorId: number | undefined
}

/** Adds a user without a password, whose access can't exceed the inviter's. Only the token's SHA-256 is stored. */
export function inviteUser(
  db: Kysely<Schema>,
  { email, name, access, actorId }: Invited,
  { now }: { now: Date },
): Promise<Outcome<{ id: number; token: string }, AdminProblem>> {
  return db.transaction().execute(async (trx) => {
    const problems = await findAccessProblems(trx, { actorId, access })
    if (problems.length > 0) return { kind: 'invalid', problems }
    const id = await insertAdministrator(trx, { email, name, passwordHash: null, ...access, now })
    if (id === undefined) return { kind: 'invalid', problems: [{ path: ['email'], code: 'email_taken' }] }
    return { kind: 'saved', value: { id, token: await invite(trx, id, now) } }
  })
}

/** Replaces the token of a user who hasn't accepted yet; undefined for anyone else. */
export function renewInvitation(
  db: Kysely<Schema>,
  userId: number,
  { now }: { now: Date },
): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    const user = await findAdministrator(trx, userId)
    return user?.isInvited ? invite(trx, userId, now) : undefined
  })
}

async function invite(trx: Db, userId: number, now: Date): Promise<string> {
  const token = makeToken()
  const expiresAt = new Date(now.getTime() + INVITATION_MS)
  await upsertLink(trx, 'admin_invitations', { userId, tokenHash: hashToken(token), expiresAt })
  return token
}

/**
 * Returns the invited user; undefined if the token is wrong, used, replaced, or expired, or the account is
 * disabled.
 */
export function findInvited(
  db: Db,
  token: string,
  { now }: { now: Date },
): Promise<Administrator | undefined> {
  const until = new Date(now.getTime() + INVITATION_MS)
  return findUserOfLink(db, 'admin_invitations', hashToken(token), { now, until })
}

/** Sets the invited user's first password, signs them in, and uses up the invitation. Returns the session token. */
export async function acceptInvitation(
  db: Kysely<Schema>,
  { token, password, visitor }: { token: string; password: string; visitor: Visitor },
  { now }: { now: Date },
): Promise<Outcome<string, AdminProblem>> {
  const invited = await findInvited(db, token, { now })
  if (!invited) return { kind: 'not_found' }
  const problem = await findPasswordMistake(password, [invited.email, invited.name ?? ''])
  if (problem) return { kind: 'invalid', problems: [problem] }
  const passwordHash = await hashPassword(password)
  return db.transaction().execute(async (trx) => {
    const user = await findInvited(trx, token, { now })
    if (!user || !(await deleteLink(trx, 'admin_invitations', hashToken(token)))) return { kind: 'not_found' }
    const { id, email } = user
    await updatePassword(trx, id, passwordHash)
    await updateLastSignIn(trx, id, { now })
    const subject = { subjectType: 'user', subjectId: id }
    const entry = { userId: id, userEmail: email, ...subject, address: visitor.address }
    const summary = accountActivity.invitationAccepted
    await appendAuditEntry(trx, { ...entry, action: 'user.invitation_accepted', summary }, { now })
    return { kind: 'saved', value: await startSession(trx, id, visitor, { now }) }
  })
}
