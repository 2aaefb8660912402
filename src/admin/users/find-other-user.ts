import type { APIContext } from 'astro'
import type { Administrator } from '../../auth/administrator.ts'
import { findAdministrator } from '../../auth/administrator-store.ts'
import { mayManage } from '../../auth/roles/managing.ts'
import { teamTexts } from '../../messages/admin/team.ts'
import { getAdministrator, readId } from '../kit/page-context.ts'

/**
 * Returns the user in the URL; undefined for unknown users, the current user, and users with a higher role or more
 * access.
 */
export async function findOtherUser(
  context: Pick<APIContext, 'locals' | 'params'>,
): Promise<Administrator | undefined> {
  const { db } = context.locals.app
  const user = await findAdministrator(db, readId(context.params.id))
  return user && (await mayManage(db, getAdministrator(context), user)) ? user : undefined
}

/** Redirects if a change would leave no owner who can sign in. */
export const LAST_USER = { to: '/admin/users', text: teamTexts.lastUser }
