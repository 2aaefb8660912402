import type { APIRoute } from 'astro'
import { readForm } from '#src/admin/kit/admin-form.ts'
import { appOf } from '#src/admin/kit/page-context.ts'
import { showSettings } from '#src/admin/settings/preview-settings.ts'
import { changesOf } from '#src/admin/settings/settings-form.ts'
import { findEditedSettings } from '#src/site/settings/settings-draft.ts'

/** Renders the home page from the form of the settings, saved or not. */
export const POST: APIRoute = async (context) => {
  const { settings } = await findEditedSettings(appOf(context).db)
  const changes = changesOf(await readForm(context.request), settings)
  return showSettings(context, { ...settings, ...changes })
}
