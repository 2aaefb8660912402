import type { APIRoute } from 'astro'
import { showSettingsVersion } from '#src/admin/settings/preview-settings.ts'

/** Renders the home page with a version of the settings. */
export const GET: APIRoute = showSettingsVersion
