import type { APIRoute } from 'astro'
import { appOf, notFound, readId } from '#src/admin/kit/page-context.ts'
import { showSettings } from '#src/admin/settings/preview-settings.ts'
import { SETTINGS_SUBJECT } from '#src/site/settings/record-settings.ts'
import { findVersion } from '#src/versions/version-store.ts'

/** Renders the home page with a version of the settings, with the current content around it. */
export const GET: APIRoute = async (context) => {
  const found = await findVersion(appOf(context).db, SETTINGS_SUBJECT, readId(context.params.version))
  return found ? showSettings(context, found.content) : notFound(context)
}
