import type { Db } from '../../db/schema.ts'
import { countPublishedWith, listPublishedWith, type NamedEntry } from '../../entries/entry-lookup-store.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { toDialable, toNationalNumber } from '../../lib/locale/phone-number.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import { phonesOf } from '../../site/settings/phones.ts'
import { SETTINGS_SUBJECT } from '../../site/settings/record-settings.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { listVersionContents } from '../../versions/version-store.ts'

/** Number of earlier settings that are read. */
const VERSIONS_READ = 50
const NUMBERS = 3
/** Shorter numbers and names appear in texts by chance. */
const LEAST_DIGITS = 6
const LEAST_CHARACTERS = 4
/** Of one number, according to E.164. */
const MOST_DIGITS = 15
const PAGES = 10
const PHONE_SIGNS = /\\n|[\s\u2011()./-]/g

/** A page or the settings whose text has an earlier phone number of the business. */
export interface OldNumber {
  code: 'old_number'
  params: { title: string; phone: string }
  adminPath: string
}

/** Finds texts with earlier phone numbers, which don't refer to the settings. */
export async function findOldNumbers(db: Db, settings: SiteSettings): Promise<OldNumber[]> {
  const found: OldNumber[] = []
  for (const former of (await listFormer(db, settings, 'phone')).slice(0, NUMBERS)) {
    const phone = former.value
    const noticeOf = (title: string, adminPath: string): OldNumber => ({
      ...{ code: 'old_number', params: { title, phone }, adminPath },
    })
    if (isInSettings(settings, former)) found.push(noticeOf(settingsPage.title, '/admin/settings'))
    const pages = await listPublishedWith(db, former, { limit: PAGES })
    found.push(...pages.map(({ name, type, id }) => noticeOf(name, `/admin/entries/${type}/${id}`)))
  }
  return found
}

/** The settings that texts repeat without referring to them. */
export const REPEATED = ['name', 'phone'] as const
export type Repeated = (typeof REPEATED)[number]

/** An earlier value of a setting, with the texts that still have it. */
export interface OldUse {
  value: string
  /** True if other settings have it, such as a text of the home page. */
  isInSettings: boolean
  /** The first of the published pages. */
  pages: NamedEntry[]
  /** Number of all of them. */
  count: number
}

/** Finds the texts with the last value of a setting before today's, with up to `limit` pages; undefined without any. */
export async function findOldUse(
  db: Db,
  settings: SiteSettings,
  { setting, limit }: { setting: Repeated; limit: number },
): Promise<OldUse | undefined> {
  const [former] = await listFormer(db, settings, setting)
  if (!former) return undefined
  const pages = await listPublishedWith(db, former, { limit })
  const count = pages.length < limit ? pages.length : await countPublishedWith(db, former)
  const use = { value: former.value, isInSettings: isInSettings(settings, former), pages, count }
  return use.isInSettings || count > 0 ? use : undefined
}

interface Former {
  value: string
  /** A longer text with it that doesn't count: today's name. */
  except?: string
  /** Digits of a phone number, as in `toNationalNumber`. */
  digits?: string
}

// Newest first.
async function listFormer(db: Db, settings: SiteSettings, setting: Repeated): Promise<Former[]> {
  const wanted = { limit: VERSIONS_READ, state: 'saved' } as const
  const versions = await listVersionContents(db, SETTINGS_SUBJECT, wanted)
  const values = versions.flatMap(({ content }) => (content as Partial<SiteSettings>)[setting] ?? [])
  const former = setting === 'name' ? formerNames(values, settings) : formerPhones(values, settings)
  return [...new Set(former)].map((value) => {
    if (setting === 'phone') return { value, ...digitsOf(value, settings) }
    return settings.name.includes(value) ? { value, except: settings.name } : { value }
  })
}

function digitsOf(phone: string, settings: SiteSettings): { digits?: string } {
  // The country may have changed with the number. Two numbers in one field are only found as written.
  const written = phone.replace(/\D/g, '').replace(/^0+/, '')
  const { digits = written } = toNationalNumber(phone, localeOf(settings).country) ?? {}
  return digits.length > MOST_DIGITS ? {} : { digits }
}

function formerNames(names: readonly string[], { name }: SiteSettings): string[] {
  return names.filter((one) => one.length >= LEAST_CHARACTERS && one !== name)
}

function formerPhones(phones: readonly string[], settings: SiteSettings): string[] {
  const { country } = localeOf(settings)
  const dialed = (phone: string) => toDialable(phone, country) ?? phone
  const current = new Set(phonesOf(settings).map(({ number }) => dialed(number)))
  return phones.filter(
    (phone) => phone.replace(/\D/g, '').length >= LEAST_DIGITS && !current.has(dialed(phone)),
  )
}

function isInSettings(settings: SiteSettings, { value, except, digits }: Former): boolean {
  const text = JSON.stringify(settings)
  if (digits !== undefined) return text.replace(PHONE_SIGNS, '').includes(digits)
  return (except === undefined ? text : text.replaceAll(except, '')).includes(value)
}
