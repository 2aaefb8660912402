import { z } from 'zod'
import type { Db } from '../db/schema.ts'
import { DEFAULT_SITE_SETTINGS, type SiteSettings, siteSettings } from './site-settings.ts'

const SITE_KEY = 'site'

const siteColumn = z.codec(z.string(), siteSettings, {
  decode: (text) => JSON.parse(text),
  encode: (settings) => JSON.stringify(settings),
})

/** The settings of the site; the defaults when none were saved. */
export async function findSiteSettings(db: Db): Promise<SiteSettings> {
  return (await findSavedSiteSettings(db)) ?? DEFAULT_SITE_SETTINGS
}

/** The settings that were saved, or undefined. */
export async function findSavedSiteSettings(db: Db): Promise<SiteSettings | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value_json')
    .where('key', '=', SITE_KEY)
    .executeTakeFirst()
  return row && siteColumn.decode(row.value_json)
}

export async function saveSiteSettings(
  db: Db,
  settings: SiteSettings,
  { now }: { now: string },
): Promise<void> {
  const saved = { value_json: siteColumn.encode(settings), updated_at: now }
  await db
    .insertInto('settings')
    .values({ key: SITE_KEY, ...saved })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(saved))
    .execute()
}

export async function deleteSiteSettings(db: Db): Promise<void> {
  await db.deleteFrom('settings').where('key', '=', SITE_KEY).execute()
}
