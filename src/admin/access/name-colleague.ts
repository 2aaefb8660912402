import type { APIContext } from 'astro'
import { isLimited } from '../../auth/roles/role.ts'
import { kitTexts } from '../../messages/admin/kit.ts'
import { getAdministrator } from '../kit/page-context.ts'

/** Returns how a page names another user: by email, or as a colleague if limits hide other users. */
export function nameColleague(context: Pick<APIContext, 'locals'>, email: string): string {
  const own = getAdministrator(context)
  return isLimited(own.limits) && own.email !== email ? kitTexts.colleague : email
}
