import type { APIRoute } from 'astro'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { appOf, finish, readId, refuse } from '#src/admin/kit/page-context.ts'
import { restoreTrashed } from '#src/entries/trash/restore-trashed.ts'
import { trashTexts, typeOfTrashed } from '#src/messages/admin/history/trash.ts'
import { kitTexts } from '#src/messages/admin/kit.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'

/** Restores something from the trash and redirects to it. */
export const POST: APIRoute = async (context) => {
  const saving = savingBy(context, 'restored')
  const outcome = await restoreTrashed(appOf(context).db, readId(context.params.id), saving)
  if (outcome.kind !== 'saved') {
    const reasons = outcome.kind === 'invalid' ? outcome.problems.map(describeProblem) : [trashTexts.isGone]
    return refuse(context, { to: '/admin/trash', text: kitTexts.nothingChanged(reasons.join(' ')) })
  }
  const { kind, id, typeSlug, name } = outcome.value
  const isTerm = kind === 'term'
  const summary = trashTexts.restored(name, typeOfTrashed({ subject: { kind }, typeSlug }))
  const to = isTerm ? `/admin/taxonomies/${typeSlug}/terms/${id}` : `/admin/entries/${typeSlug}/${id}`
  const action = isTerm ? 'term.undeleted' : 'entry.undeleted'
  return finish(context, { action, id, summary }, { to, text: trashTexts.isRestored(name) })
}
