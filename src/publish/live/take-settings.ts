import type { Db } from '../../db/schema.ts'
import { picturesInSettings } from '../../site/settings/setting-pictures.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { findSavedSiteSettings, saveSiteSettings } from '../../site/settings/site-settings-store.ts'
import { bringForm, bringPictures } from './bring-references.ts'
import { listRows, putRows } from './content-row-store.ts'

/**
 * Copies the saved settings, or this draft of them, into the live content, with the pictures and the form that they
 * name and the live site doesn't have yet. Call it after selected forms were copied.
 */
export async function takeSettings(
  live: Db,
  db: Db,
  keys: readonly string[],
  { draft, ...clock }: { now: string; draft?: SiteSettings | undefined },
): Promise<void> {
  await putRows(live, 'settings', await listRows(db, 'settings', 'key', keys))
  if (draft) await saveSiteSettings(live, draft, clock)
  const settings = keys.length > 0 ? await findSavedSiteSettings(live) : undefined
  if (!settings) return
  const names = picturesInSettings(settings).map(({ name }) => name)
  await bringPictures(live, db, names)
  const slug = await bringForm(live, db, settings.default_form)
  if (slug !== undefined) await saveSiteSettings(live, { ...settings, default_form: slug }, clock)
}
