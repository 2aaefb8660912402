import type { Administrator } from '../../auth/administrator.ts'
import { listAdministrators } from '../../auth/administrator-store.ts'
import { can } from '../../auth/roles/capabilities.ts'
import { isLimited, type Limits } from '../../auth/roles/role.ts'
import type { Db } from '../../db/schema.ts'
import type { SubmissionNames } from '../../submissions/search/submission-names.ts'
import type { Submission } from '../../submissions/submission.ts'

type Lead = Pick<Submission, 'formId' | 'assigneeId'>
type Places = Pick<SubmissionNames, 'place' | 'placeIds'>

/**
 * Lists possible assignees of a lead: users who may work on it, and its current assignee. Leaves out users of other
 * places, those who couldn't open the lead, and those who haven't accepted their invitation. One query, for any number.
 */
export async function listAssignees(db: Db, lead: Lead, names: Places): Promise<Administrator[]> {
  const people = await listAdministrators(db)
  return people.filter(
    (person) => person.id === lead.assigneeId || (isAssignable(person) && allows(person.limits, lead, names)),
  )
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

// The same as `inScope` says of the lead's row: leads of deleted places are outside every limit.
function allows({ places, forms }: Limits, { formId }: Lead, { place, placeIds }: Places): boolean {
  const isOfPlace = places === null || (place !== undefined && placeIds.some((id) => places.includes(id)))
  return isOfPlace && (forms === null || (formId !== null && forms.includes(formId)))
}
