import type { Administrator } from '../../auth/administrator.ts'
import { listAdministrators } from '../../auth/administrator-store.ts'
import { can } from '../../auth/roles/capabilities.ts'
import { holdsLead } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { findLeadScope } from '../../submissions/scope/scope-store.ts'
import type { Submission } from '../../submissions/submission.ts'

type Lead = Pick<Submission, 'formId' | 'locationId' | 'assigneeId'>

/**
 * Lists possible assignees of a lead: users who may work on it, and its current assignee. Leaves out users of other
 * places and those who couldn't open the lead.
 */
export async function listAssignees(db: Db, lead: Lead): Promise<Administrator[]> {
  const listed: Administrator[] = []
  for (const person of await listAdministrators(db))
    if (person.id === lead.assigneeId || (await mayWorkWith(db, person, lead))) listed.push(person)
  return listed
}

async function mayWorkWith(db: Db, person: Administrator, lead: Lead): Promise<boolean> {
  if (person.disabledAt !== null || !can(person, 'work_leads')) return false
  return holdsLead(await findLeadScope(db, person.limits), lead)
}
