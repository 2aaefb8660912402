import type { APIRoute } from 'astro'
import { z } from 'zod'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { findVersionedEntry } from '#src/admin/entries/versions/versioned-entry.ts'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound, refuse } from '#src/admin/kit/page-context.ts'
import { findEntryName } from '#src/entries/entry-lookup-store.ts'
import { discardDraft } from '#src/entries/history/entry-draft.ts'
import { entrySubject } from '#src/entries/history/record-entry.ts'
import { restoreEntry } from '#src/entries/history/restore-entry.ts'
import { typeName } from '#src/messages/admin/entries.ts'
import { draftTexts, versionChanges } from '#src/messages/admin/history/versions.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { findHead } from '#src/versions/version-store.ts'

const POSTED = z.object({ act: z.enum(['use', 'discard']), version: z.coerce.number().int() })

/** Uses an entry's draft at the next publish, or discards it. */
export const POST: APIRoute = async (context) => {
  const { db } = appOf(context)
  const versioned = await findVersionedEntry(context)
  const posted = await readPosted(context, POSTED)
  if (!versioned || !posted) return notFound(context)
  const { type, entry } = versioned
  const { id } = entry
  const name = await findEntryName(db, entry)
  const to = `/admin/entries/${type.slug}/${id}`
  const { draftId } = await findHead(db, entrySubject(id))
  if (draftId !== posted.version) return refuse(context, { to, text: draftTexts.isGone })
  if (posted.act === 'discard') {
    await discardDraft(db, { id, versionId: posted.version })
    const summary = versionChanges.draftDiscarded(name, typeName(type))
    const text = draftTexts.isDiscarded(name)
    return finish(context, { action: 'entry.draft_discarded', id, summary }, { to, text })
  }
  const outcome = await restoreEntry(db, { type, id, versionId: posted.version }, savingBy(context))
  if (outcome.kind === 'invalid')
    return refuse(context, { to, text: outcome.problems.map(describeProblem).join(' ') })
  if (outcome.kind !== 'saved') return refuse(context, { to, text: draftTexts.isGone })
  const summary = versionChanges.draftUsed(name, typeName(type))
  return finish(context, { action: 'entry.draft_used', id, summary }, { to, text: draftTexts.isUsed(name) })
}
