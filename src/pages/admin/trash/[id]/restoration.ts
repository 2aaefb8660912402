import type { APIRoute } from 'astro'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { appOf, finish, readId, refuse } from '#src/admin/kit/page-context.ts'
import { restoreTrashedEntry } from '#src/entries/trash/restore-trashed-entry.ts'
import { typeName } from '#src/messages/admin/entries.ts'
import { trashTexts } from '#src/messages/admin/history/trash.ts'
import { kitTexts } from '#src/messages/admin/kit.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'

/** Restores something from the trash and redirects to it. */
export const POST: APIRoute = async (context) => {
  const saving = savingBy(context, 'restored')
  const outcome = await restoreTrashedEntry(appOf(context).db, readId(context.params.id), saving)
  if (outcome.kind !== 'saved') {
    const reasons = outcome.kind === 'invalid' ? outcome.problems.map(describeProblem) : [trashTexts.isGone]
    return refuse(context, { to: '/admin/trash', text: kitTexts.nothingChanged(reasons.join(' ')) })
  }
  const { id, typeSlug, name } = outcome.value
  const summary = trashTexts.restored(name, typeName({ slug: typeSlug, name: typeSlug }))
  const next = { to: `/admin/entries/${typeSlug}/${id}`, text: trashTexts.isRestored(name) }
  return finish(context, { action: 'entry.undeleted', id, summary }, next)
}
