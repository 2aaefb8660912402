import type { APIContext } from 'astro'
import { z } from 'zod'
import { can } from '#src/auth/roles/capabilities.ts'
import { filterTexts } from '#src/messages/admin/inbox.ts'
import { listSavedFilters, type SavedFilter } from '#src/submissions/inbox/saved-filter-store.ts'
import { checkbox, requiredText } from '../../kit/form-values.ts'
import { appOf, getAdministrator, readId } from '../../kit/page-context.ts'
import { type InboxQuery, inboxAddress } from '../inbox-query.ts'

/** Maximum number of filters per user; more don't fit above the list. */
export const MOST_FILTERS = 20

const MAX_NAME = 60

/** Fields of the forms of a filter. */
export const FILTER_FORM = z.object({
  name: requiredText(filterTexts.nameMissing, MAX_NAME),
  shared: checkbox,
})

/** Returns what a filter stores about a list: its tab and fields, and never the search words. */
export function parametersOf({ tab, fields: { q: _, ...fields } }: InboxQuery): Record<string, string> {
  const pairs = Object.entries({ status: tab, ...fields }).filter(([, value]) => value !== '')
  return Object.fromEntries(pairs)
}

/** Returns the URL of the list that a filter shows. */
export function addressOf({
  parameters: { status = '', ...fields },
}: Pick<SavedFilter, 'parameters'>): string {
  return inboxAddress('/admin/inbox', { tab: status }, fields)
}

/**
 * Finds the filter in the page's URL, if the signed-in user may change it: their own, and shared ones for managers.
 */
export async function findFilterOfPage(
  context: Pick<APIContext, 'locals' | 'params'>,
): Promise<SavedFilter | undefined> {
  const user = getAdministrator(context)
  const id = readId(context.params.id)
  const filters = await listSavedFilters(appOf(context).db, user.id)
  return filters.find((filter) => filter.id === id && mayChange(user, filter))
}

/** Returns true if one of these filters has the name, in upper or lower case. */
export function hasName(filters: readonly SavedFilter[], name: string): boolean {
  return filters.some((filter) => filter.name.toLowerCase() === name.toLowerCase())
}

/** Returns true if a user may rename and delete a filter that they see. */
export function mayChange(
  user: Parameters<typeof can>[0],
  { isOwn, isShared }: Pick<SavedFilter, 'isOwn' | 'isShared'>,
): boolean {
  return isOwn || (isShared && can(user, 'manage_team'))
}
