import type { APIRoute } from 'astro'
import { z } from 'zod'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { findVersionedEntry } from '#src/admin/entries/versions/versioned-entry.ts'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound, refuse } from '#src/admin/kit/page-context.ts'
import { unscheduleEntry } from '#src/entries/editing/set-entry-status.ts'
import { findEntryName } from '#src/entries/entry-lookup-store.ts'
import { unscheduleDraft } from '#src/entries/history/entry-draft.ts'
import { scheduleTexts } from '#src/messages/admin/editing.ts'
import { entryChanges, typeName } from '#src/messages/admin/entries.ts'
import { draftTexts, versionChanges } from '#src/messages/admin/history/versions.ts'

const POSTED = z.object({ draft: z.coerce.number().int().optional() })

/** Cancels the schedule of an entry's draft, which is kept, or of an entry that isn't live, which becomes a draft. */
export const POST: APIRoute = async (context) => {
  const { db } = appOf(context)
  const versioned = await findVersionedEntry(context)
  const posted = await readPosted(context, POSTED)
  if (!versioned || !posted) return notFound(context)
  const { type, entry } = versioned
  const { id } = entry
  const name = await findEntryName(db, entry)
  const to = `/admin/entries/${type.slug}/${id}`
  const saving = savingBy(context)
  if (posted.draft !== undefined) {
    const isDone = await unscheduleDraft(db, { id, versionId: posted.draft }, saving)
    if (!isDone) return refuse(context, { to, text: draftTexts.isGone })
    const summary = versionChanges.draftUnscheduled(name, typeName(type))
    const text = draftTexts.isUnscheduled(name)
    return finish(context, { action: 'entry.draft_saved', id, summary }, { to, text })
  }
  const isDone = await unscheduleEntry(db, { type, id }, saving)
  if (!isDone) return refuse(context, { to, text: scheduleTexts.isOver })
  const summary = entryChanges.unscheduled(name, typeName(type))
  const text = scheduleTexts.isCanceled(name)
  return finish(context, { action: 'entry.changed', id, summary }, { to, text })
}
