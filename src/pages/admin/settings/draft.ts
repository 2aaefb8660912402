import type { APIRoute } from 'astro'
import { z } from 'zod'
import { savingBy } from '#src/admin/audit/saving-by.ts'
import { readPosted } from '#src/admin/kit/admin-form.ts'
import { appOf, finish, notFound, refuse } from '#src/admin/kit/page-context.ts'
import { mayChangeTags } from '#src/admin/settings/receive-settings.ts'
import { draftTexts } from '#src/messages/admin/history/versions.ts'
import { describeProblem } from '#src/messages/admin/problems.ts'
import { settingsPage as texts } from '#src/messages/admin/settings/settings.ts'
import {
  discardSettingsDraft,
  findEditedSettings,
  saveEditedSettings,
} from '#src/site/settings/settings-draft.ts'

const POSTED = z.object({ act: z.enum(['use', 'discard']), version: z.coerce.number().int() })

/** Uses the draft of the settings at the next publish, or discards it. */
export const POST: APIRoute = async (context) => {
  const { db } = appOf(context)
  const posted = await readPosted(context, POSTED)
  if (!posted) return notFound(context)
  const to = '/admin/settings'
  const { draft, stamp } = await findEditedSettings(db)
  if (draft?.version.id !== posted.version) return refuse(context, { to, text: draftTexts.isGone })
  const id = 'site'
  if (posted.act === 'discard') {
    await discardSettingsDraft(db, posted.version)
    const change = { action: 'settings.draft_discarded', id, summary: texts.draftDiscarded } as const
    return finish(context, change, { to, text: draftTexts.isDiscarded(texts.title) })
  }
  const wanted = { changes: {}, basedOn: stamp, mayChangeTags: mayChangeTags(context) }
  const outcome = await saveEditedSettings(db, wanted, savingBy(context))
  if (outcome.kind !== 'saved') {
    const problems = outcome.kind === 'invalid' ? outcome.problems.map(describeProblem).join(' ') : ''
    return refuse(context, { to, text: problems || draftTexts.isGone })
  }
  const change = { action: 'settings.draft_used', id, summary: texts.draftUsed } as const
  return finish(context, change, { to, text: draftTexts.isUsed(texts.title) })
}
