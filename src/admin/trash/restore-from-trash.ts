import type { APIContext } from 'astro'
import { can } from '../../auth/roles/capabilities.ts'
import { restoreTrashed } from '../../entries/trash/restore-trashed.ts'
import type { Outcome } from '../../lib/outcome.ts'
import { nounOfTrashed } from '../../messages/admin/history/trash.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { restoreTrashedPicture } from '../../pictures/trash-picture.ts'
import { restoreTrashedForm } from '../../submissions/trash-form.ts'
import { findTrashed } from '../../versions/trash-store.ts'
import { savingBy } from '../audit/saving-by.ts'
import { appOf, getAdministrator } from '../kit/page-context.ts'

/** Restored content, and its URL in the admin. */
interface RestoredContent {
  action: 'entry.undeleted' | 'term.undeleted' | 'form.undeleted' | 'picture.undeleted'
  id: number
  name: string
  noun: string
  to: string
}

type RestoreOutcome = Outcome<RestoredContent, AdminProblem, 'not_allowed'>

/** Restores an item from the trash. Refused for a form if the user may not edit forms. */
export async function restoreFromTrash(
  context: Pick<APIContext, 'locals'>,
  trashId: number,
): Promise<RestoreOutcome> {
  const { db } = appOf(context)
  const saving = savingBy(context, 'restored')
  const kind = (await findTrashed(db, trashId))?.trashed.subject.kind
  if (kind === 'form') {
    if (!can(getAdministrator(context), 'edit_forms')) return { kind: 'refused', code: 'not_allowed' }
    const outcome = await restoreTrashedForm(db, trashId, saving)
    if (outcome.kind !== 'saved') return outcome
    const { id, slug, name } = outcome.value
    const to = `/admin/forms/${slug}`
    return { kind: 'saved', value: { action: 'form.undeleted', id, name, noun: kind, to } }
  }
  if (kind === 'picture') {
    const outcome = await restoreTrashedPicture(db, trashId)
    if (outcome.kind !== 'saved') return outcome
    const about = { ...outcome.value, noun: kind }
    return {
      kind: 'saved',
      value: { action: 'picture.undeleted', ...about, to: `/admin/pictures/${about.id}` },
    }
  }
  const outcome = await restoreTrashed(db, trashId, saving)
  if (outcome.kind !== 'saved') return outcome
  const { id, typeSlug, name } = outcome.value
  const about = { id, name, noun: nounOfTrashed({ subject: outcome.value, typeSlug }) }
  const value: RestoredContent =
    kind === 'term'
      ? { action: 'term.undeleted', ...about, to: `/admin/taxonomies/${typeSlug}/terms/${id}` }
      : { action: 'entry.undeleted', ...about, to: `/admin/entries/${typeSlug}/${id}` }
  return { kind: 'saved', value }
}
