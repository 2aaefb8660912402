import type { APIRoute } from 'astro'
import { z } from 'zod'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { finish, readId, refuse, safeNext } from '#src/admin/kit/page-context.ts'
import { restoreFromTrash } from '#src/admin/trash/restore-from-trash.ts'
import { trashTexts } from '#src/messages/admin/history/trash.ts'
import { kitTexts } from '#src/messages/admin/kit.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'

const posted = z.object({ next: z.string().default('/admin/trash') })

/** Restores an item from the trash and redirects to the page with the button, with a link to the item. */
export const POST: APIRoute = async (context) => {
  const next = safeNext((await readPosted(context, posted))?.next)
  const outcome = await restoreFromTrash(context, readId(context.params.id))
  if (outcome.kind === 'saved') {
    const { action, id, name, noun, area, state, to } = outcome.value
    const summary = trashTexts.restored(name, noun)
    const text = trashTexts.isRestored({ name, area, state })
    const links = [{ label: trashTexts.open(name), href: to }]
    return finish(context, { action, id, summary }, { to: next, text, links })
  }
  const text = {
    invalid: () => (outcome.kind === 'invalid' ? outcome.problems.map(describeProblem).join(' ') : ''),
    refused: () => trashTexts.notYours,
    not_found: () => trashTexts.isGone,
    outdated: () => trashTexts.isGone,
  }[outcome.kind]()
  return refuse(context, { to: '/admin/trash', text: kitTexts.nothingChanged(text) })
}
