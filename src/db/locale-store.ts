import { z } from 'zod'
import { type Locale, localeOf } from '../lib/locale/locale.ts'
import type { Db } from './schema.ts'

const localeKeys = z.object({
  country: z.string().optional(),
  language: z.string().optional(),
  time_zone: z.string().optional(),
})

/** Returns the country, language and time zone of the site, for features that know nothing else of its settings. */
export async function findLocale(db: Db): Promise<Locale> {
  const row = await db
    .selectFrom('settings')
    .select('value_json')
    .where('key', '=', 'site')
    .executeTakeFirst()
  return localeOf(row ? localeKeys.parse(JSON.parse(row.value_json)) : {})
}
