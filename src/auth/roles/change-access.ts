import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Outcome } from '../../lib/outcome.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { countOtherOwners, findAdministrator, updateAccess } from '../administrator-store.ts'
import { deleteSessions } from '../session-store.ts'
import { mayGiveRole } from './capabilities.ts'
import { isWithin, manageUser } from './managing.ts'
import { isLimited, type Limits, type Role } from './role.ts'

/** A role with its limits. */
export interface Access {
  role: Role
  limits: Limits
}

/** Lists the problems with the access a user wants to grant. Nobody can grant more than they have. */
export async function findAccessProblems(
  db: Db,
  { actorId, access: { role, limits } }: { actorId: number | undefined; access: Access },
): Promise<AdminProblem[]> {
  if (role === 'owner' && isLimited(limits)) return [{ path: ['role'], code: 'owner_limited' }]
  if (actorId === undefined) return []
  const actor = await findAdministrator(db, actorId)
  if (!actor || !mayGiveRole(actor, role)) return [{ path: ['role'], code: 'role_above' }]
  const isInside = await isWithin(db, limits, actor.limits)
  return isInside ? [] : [{ path: ['places'], code: 'limits_beyond' }]
}

/** Changes another user's role and limits and ends their sessions. Refused for the last owner who can sign in. */
export async function changeAccess(
  db: Kysely<Schema>,
  { actorId, userId, access }: { actorId: number | undefined; userId: number; access: Access },
): Promise<Outcome<undefined, AdminProblem, 'last_one'>> {
  return manageUser(db, { actorId, userId }, async (trx, user) => {
    const problems = await findAccessProblems(trx, { actorId, access })
    if (problems.length > 0) return { kind: 'invalid', problems }
    const isOwner = user.role === 'owner' && access.role !== 'owner'
    if (isOwner && (await countOtherOwners(trx, userId)) === 0) return { kind: 'refused', code: 'last_one' }
    await updateAccess(trx, userId, access)
    await deleteSessions(trx, userId)
    return { kind: 'saved', value: undefined }
  })
}
