import type { APIRoute } from 'astro'
import { answerDraft } from '#src/admin/settings/answer-draft.ts'
import { SETTINGS_SCREEN } from '#src/admin/settings/settings-screen.ts'

/** Uses the draft of the settings at the next publish, or discards it. */
export const POST: APIRoute = (context) => answerDraft(context, SETTINGS_SCREEN)
