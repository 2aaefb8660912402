import type { Administrator } from '../../auth/administrator.ts'
import { listAdministrators } from '../../auth/administrator-store.ts'
import { mayManage } from '../../auth/roles/managing.ts'
import { isLimited } from '../../auth/roles/role.ts'
import type { Db } from '../../db/schema.ts'

/** A user in the team list. */
export interface ListedUser {
  user: Administrator
  /** True if the current user may change the account. */
  isManaged: boolean
}

/** Lists the team by email address. An account with limits sees itself and the accounts it may change. */
export async function listManaged(db: Db, self: Administrator): Promise<ListedUser[]> {
  const listed: ListedUser[] = []
  for (const user of await listAdministrators(db)) {
    const isManaged = await mayManage(db, self, user)
    if (isManaged || user.id === self.id || !isLimited(self.limits)) listed.push({ user, isManaged })
  }
  return listed
}
