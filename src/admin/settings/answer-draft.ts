import type { APIContext } from 'astro'
import { z } from 'zod'
import { draftTexts } from '../../messages/admin/history/versions.ts'
import { describeProblem } from '../../messages/admin/problems.ts'
import { settingsPage as texts } from '../../messages/admin/settings/settings.ts'
import {
  discardSettingsDraft,
  findEditedSettings,
  saveEditedSettings,
} from '../../site/settings/settings-draft.ts'
import { savingBy } from '../audit/saving-by.ts'
import { readPosted } from '../kit/admin-form.ts'
import { appOf, finish, notFound, refuse } from '../kit/page-context.ts'
import { mayChangeTags } from './receive-settings.ts'
import type { SettingsScreen } from './settings-screen.ts'

const POSTED = z.object({ act: z.enum(['use', 'discard']), version: z.coerce.number().int() })

/** Uses the draft of the settings at the next publish, or discards it. Returns to the screen. */
export async function answerDraft(context: APIContext, screen: SettingsScreen): Promise<Response> {
  const { db } = appOf(context)
  const posted = await readPosted(context, POSTED)
  if (!posted) return notFound(context)
  const to = screen.href
  const { title } = screen.texts
  const { draft, stamp } = await findEditedSettings(db)
  if (draft?.version.id !== posted.version) return refuse(context, { to, text: draftTexts.isGone })
  const id = 'site'
  if (posted.act === 'discard') {
    await discardSettingsDraft(db, posted.version)
    const change = { action: 'settings.draft_discarded', id, summary: texts.draftDiscarded } as const
    return finish(context, change, { to, text: draftTexts.isDiscarded(title) })
  }
  const wanted = { changes: {}, basedOn: stamp, mayChangeTags: mayChangeTags(context) }
  const outcome = await saveEditedSettings(db, wanted, savingBy(context))
  if (outcome.kind !== 'saved') {
    const problems = outcome.kind === 'invalid' ? outcome.problems.map(describeProblem).join(' ') : ''
    return refuse(context, { to, text: problems || draftTexts.isGone })
  }
  const change = { action: 'settings.draft_used', id, summary: texts.draftUsed } as const
  return finish(context, change, { to, text: draftTexts.isUsed(title) })
}
