import type { Db } from '../db/schema.ts'
import { loadSiteContent } from './content/site-content.ts'
import { homePage } from './pages/home-page.ts'
import type { Page } from './pages/page.ts'
import type { SiteSettings } from './settings/site-settings.ts'

/** Returns the home page with these settings, saved or not. It leaves out the tags of other services. */
export async function previewHome(
  db: Db,
  settings: SiteSettings,
  { siteUrl, now }: { siteUrl: string; now: Date },
): Promise<Page> {
  const shown = { ...settings, tags: undefined }
  return homePage(await loadSiteContent(db, { siteUrl, now, near: 'places', settings: shown }))
}
