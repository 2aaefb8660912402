import type { Config } from '../config.ts'
import type { Db } from '../db/schema.ts'
import { findContentType } from '../entries/content-type-store.ts'
import { listWrittenEntries } from '../entries/entry-store.ts'
import { keysWithMeaning, LOCATION_SERVICES } from '../entries/field-meaning.ts'
import { DEFAULT_COUNTRY } from '../lib/locale.ts'
import { phoneExample, toDialable } from '../lib/phone-number.ts'
import { undialablePhones } from '../site/settings/phones.ts'
import { findSiteSettings } from '../site/site-settings-store.ts'
import { type Finding, ok, warning } from './finding.ts'
import { withDatabase } from './with-database.ts'

const NAME = 'Phone numbers'
const LISTED = 5

/** Whether visitors can dial every number of the site. Numbers were not always checked when they were saved. */
export async function checkPhones(config: Config): Promise<Finding> {
  return withDatabase(NAME, config, async (db) => {
    const settings = await findSiteSettings(db)
    const { country = DEFAULT_COUNTRY } = settings
    const wrong = [
      ...undialablePhones(settings).map(({ number }) => `${number} in the settings`),
      ...(await undialablePlaces(db, country)),
    ]
    if (wrong.length === 0) return ok(NAME, 'visitors can dial every number')
    const listed = wrong.slice(0, LISTED).join('; ') + (wrong.length > LISTED ? '; …' : '')
    return warning(NAME, `${listed}: no link dials it; write one number, such as ${phoneExample(country)}`)
  })
}

async function undialablePlaces(db: Db, country: string): Promise<string[]> {
  const type = await findContentType(db, LOCATION_SERVICES)
  const entries = type ? await listWrittenEntries(db, type.id) : []
  return keysWithMeaning(LOCATION_SERVICES, 'phone').flatMap((key) =>
    entries.flatMap(({ slug, data }) => {
      const number = String(data[key] ?? '')
      return number === '' || toDialable(number, country) ? [] : [`${number} in ${LOCATION_SERVICES}/${slug}`]
    }),
  )
}
