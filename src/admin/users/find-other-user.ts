import type { APIContext } from 'astro'
import { findAdministrator } from '../../auth/administrator-store.ts'
import { teamTexts } from '../../messages/admin/team.ts'
import { getAdministrator, readId } from '../kit/page-context.ts'

/** The user that the address names; undefined when there is none, or when it is who asks. */
export async function findOtherUser(context: Pick<APIContext, 'locals' | 'params'>) {
  const user = await findAdministrator(context.locals.app.db, readId(context.params.id))
  return user?.id === getAdministrator(context).id ? undefined : user
}

/** Where a change leads that would leave nobody who can sign in. */
export const LAST_USER = { to: '/admin/users', text: teamTexts.lastUser }
