import type { APIContext } from 'astro'
import { isLimited } from '../../auth/roles/role.ts'
import { kitTexts } from '../../messages/admin/kit.ts'
import { getAdministrator } from '../kit/page-context.ts'

/** Returns what a page calls another user: by email, or as a colleague where limits hide who else works here. */
export function nameColleague(context: Pick<APIContext, 'locals'>, email: string): string {
  const own = getAdministrator(context)
  return isLimited(own.limits) && own.email !== email ? kitTexts.colleague : email
}
