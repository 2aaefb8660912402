import type { APIRoute } from 'astro'
import { finish, readId, refuse } from '#src/admin/kit/page-context.ts'
import { restoreFromTrash } from '#src/admin/trash/restore-from-trash.ts'
import { trashTexts } from '#src/messages/admin/history/trash.ts'
import { kitTexts } from '#src/messages/admin/kit.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'

/** Restores an item from the trash and redirects to it. */
export const POST: APIRoute = async (context) => {
  const outcome = await restoreFromTrash(context, readId(context.params.id))
  if (outcome.kind === 'saved') {
    const { action, id, name, noun, to } = outcome.value
    const summary = trashTexts.restored(name, noun)
    return finish(context, { action, id, summary }, { to, text: trashTexts.isRestored(name) })
  }
  const text = {
    invalid: () => (outcome.kind === 'invalid' ? outcome.problems.map(describeProblem).join(' ') : ''),
    refused: () => trashTexts.notYours,
    not_found: () => trashTexts.isGone,
    outdated: () => trashTexts.isGone,
  }[outcome.kind]()
  return refuse(context, { to: '/admin/trash', text: kitTexts.nothingChanged(text) })
}
