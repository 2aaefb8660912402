import type { Administrator } from '../../auth/administrator.ts'
import { listAdministrators } from '../../auth/administrator-store.ts'
import { can } from '../../auth/roles/capabilities.ts'
import { isLimited } from '../../auth/roles/role.ts'
import { holdsLead } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { findLeadScope } from '../../submissions/scope/scope-store.ts'
import type { Submission } from '../../submissions/submission.ts'

type Lead = Pick<Submission, 'formId' | 'locationId' | 'assigneeId'>

/**
 * Lists possible assignees of a lead: users who may work on it, and its current assignee. Leaves out users of other
 * places, those who couldn't open the lead, and those who haven't accepted their invitation.
 */
export async function listAssignees(db: Db, lead: Lead): Promise<Administrator[]> {
  const listed: Administrator[] = []
  for (const person of await listAdministrators(db))
    if (person.id === lead.assigneeId || (await mayWorkWith(db, person, lead))) listed.push(person)
  return listed
}

/**
 * Lists the users that a user may give leads to, and filter by. A user with limits must not learn of colleagues in
 * other places, so they see themselves only.
 */
export async function listColleagues(db: Db, user: Administrator): Promise<Administrator[]> {
  return isLimited(user.limits) ? [user] : (await listAdministrators(db)).filter(isAssignable)
}

function isAssignable(person: Administrator): boolean {
  return person.disabledAt === null && !person.isInvited && can(person, 'work_leads')
}

async function mayWorkWith(db: Db, person: Administrator, lead: Lead): Promise<boolean> {
  if (!isAssignable(person)) return false
  return holdsLead(await findLeadScope(db, person.limits), lead)
}
