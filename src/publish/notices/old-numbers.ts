import type { Db } from '../../db/schema.ts'
import { listPublishedWith } from '../../entries/entry-lookup-store.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import { phonesOf } from '../../site/settings/phones.ts'
import { SETTINGS_SUBJECT } from '../../site/settings/record-settings.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { listVersionContents } from '../../versions/version-store.ts'

/** Number of earlier settings that are read. */
const VERSIONS_READ = 50
const NUMBERS = 3
/** Shorter numbers appear in texts by chance. */
const LEAST_DIGITS = 6
const PAGES = 10

/** A page or the settings whose text has an earlier phone number of the business. */
export interface OldNumber {
  code: 'old_number'
  params: { title: string; phone: string }
  adminPath: string
}

/** Finds texts with earlier phone numbers, which don't refer to the settings. */
export async function findOldNumbers(db: Db, settings: SiteSettings): Promise<OldNumber[]> {
  const found: OldNumber[] = []
  for (const phone of await listFormerNumbers(db, settings)) {
    const noticeOf = (title: string, adminPath: string): OldNumber => ({
      ...{ code: 'old_number', params: { title, phone }, adminPath },
    })
    if (JSON.stringify(settings).includes(phone)) found.push(noticeOf(settingsPage.title, '/admin/settings'))
    const pages = await listPublishedWith(db, phone, { limit: PAGES })
    found.push(...pages.map(({ name, type, id }) => noticeOf(name, `/admin/entries/${type}/${id}`)))
  }
  return found
}

async function listFormerNumbers(db: Db, settings: SiteSettings): Promise<string[]> {
  const { country } = localeOf(settings)
  const dialed = (phone: string) => toDialable(phone, country) ?? phone
  const current = new Set(phonesOf(settings).map(({ number }) => dialed(number)))
  const wanted = { limit: VERSIONS_READ, state: 'saved' } as const
  const versions = await listVersionContents(db, SETTINGS_SUBJECT, wanted)
  const former = versions.flatMap(({ content }) => (content as Partial<SiteSettings>).phone ?? [])
  return [...new Set(former)]
    .filter((phone) => phone.replace(/\D/g, '').length >= LEAST_DIGITS && !current.has(dialed(phone)))
    .slice(0, NUMBERS)
}
