import type { Kysely } from 'kysely'
import type { Db, Schema } from '../../db/schema.ts'
import type { Administrator } from '../administrator.ts'
import { countOtherOwners, lockAdministrators } from '../administrator-store.ts'
import { can } from './capabilities.ts'
import { listPlacesBelow } from './place-tree-store.ts'
import { isAbove, type Limits } from './role.ts'

type Person = Pick<Administrator, 'id' | 'role' | 'limits' | 'disabledAt'>

/** Returns whether these limits are within the others. */
export async function isWithin(db: Db, { places, forms }: Limits, outer: Limits): Promise<boolean> {
  if (outer.forms !== null && !(forms && isSubset(forms, new Set(outer.forms)))) return false
  if (outer.places === null) return true
  return places !== null && isSubset(places, await listPlacesBelow(db, outer.places))
}

/**
 * Returns whether a user may change another's account: never their own, one above their role, or one beyond
 * their limits.
 */
export async function mayManage(db: Db, actor: Person, other: Person): Promise<boolean> {
  if (actor.id === other.id || !can(actor, 'manage_team') || isAbove(other.role, actor.role)) return false
  return isWithin(db, other.limits, actor.limits)
}

/**
 * Changes another user's account in a transaction, if the actor is still allowed to: their own account may
 * have changed in the meantime. Without an actor (command line) it is always allowed.
 */
export function manageUser<Done>(
  db: Kysely<Schema>,
  { actorId, userId }: { actorId: number | undefined; userId: number },
  work: (trx: Db, user: Administrator) => Promise<Done>,
): Promise<Done | { kind: 'not_found' }> {
  return db.transaction().execute(async (trx) => {
    // Always locks owners first, so that two of these transactions can't deadlock.
    await countOtherOwners(trx, userId)
    const people = await lockAdministrators(trx, actorId === undefined ? [userId] : [userId, actorId])
    const user = people.get(userId)
    if (!user) return { kind: 'not_found' }
    if (actorId !== undefined) {
      const actor = people.get(actorId)
      if (!actor || actor.disabledAt !== null || !(await mayManage(trx, actor, user)))
        return { kind: 'not_found' }
    }
    return work(trx, user)
  })
}

function isSubset(ids: readonly number[], of: ReadonlySet<number>): boolean {
  return ids.every((id) => of.has(id))
}
