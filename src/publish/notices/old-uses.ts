import type { Db } from '../../db/schema.ts'
import { listPublishedWith, type NamedEntry } from '../../entries/entry-lookup-store.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { toDialable, toNationalNumber } from '../../lib/locale/phone-number.ts'
import type { SpelledNumber } from '../../lib/locale/spelled-number.ts'
import { homePage } from '../../messages/admin/settings/home-page.ts'
import { settingsPage } from '../../messages/admin/settings/settings.ts'
import { phonesOf } from '../../site/settings/phones.ts'
import { SETTINGS_SUBJECT } from '../../site/settings/record-settings.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { listVersionContents } from '../../versions/version-store.ts'

/** Number of earlier settings that are read. */
const VERSIONS_READ = 50
/** Earlier values of a setting that are looked for. */
const FORMER = 3
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
  for (const former of formerValues(await listEarlier(db), settings, 'phone')) {
    const phone = former.value
    const noticeOf = (title: string, adminPath: string): OldNumber => ({
      ...{ code: 'old_number', params: { title, phone }, adminPath },
    })
    found.push(...screensWith(settings, former).map(({ title, adminPath }) => noticeOf(title, adminPath)))
    const { pages } = await listPublishedWith(db, former, { limit: PAGES })
    found.push(...pages.map(({ name, type, id }) => noticeOf(name, `/admin/entries/${type}/${id}`)))
  }
  return found
}

/** The settings that texts repeat without referring to them. */
export const REPEATED = ['name', 'phone'] as const
type Repeated = (typeof REPEATED)[number]

/** An earlier value of a setting, with the texts that still have it. */
export interface OldUse {
  setting: Repeated
  value: string
  /** The screens whose settings have it, too. */
  screens: Screen[]
  /** The first of the published pages. */
  pages: NamedEntry[]
  /** Number of all of them. */
  count: number
}

/** Finds the texts with earlier values of these settings, each with up to `limit` pages; the newest value first. */
export async function listOldUses(
  db: Db,
  settings: SiteSettings,
  { limit }: { limit: number },
): Promise<OldUse[]> {
  const versions = await listEarlier(db)
  const uses: OldUse[] = []
  for (const setting of REPEATED) {
    for (const former of formerValues(versions, settings, setting)) {
      const screens = screensWith(settings, former)
      const { pages, count } = await listPublishedWith(db, former, { limit })
      if (screens.length + count > 0) uses.push({ setting, value: former.value, screens, pages, count })
    }
  }
  return uses
}

/** Returns an earlier phone number of the business by its spelling in the settings; undefined if it is none. */
export async function findFormerNumber(
  db: Db,
  settings: SiteSettings,
  phone: string,
): Promise<SpelledNumber | undefined> {
  return formerValues(await listEarlier(db), settings, 'phone').find(({ value }) => value === phone)
}

interface Former extends SpelledNumber {
  /** A longer text with it that doesn't count: today's name. */
  except?: string
}

// Newest first.
async function listEarlier(db: Db): Promise<Partial<SiteSettings>[]> {
  const wanted = { limit: VERSIONS_READ, state: 'saved' } as const
  const versions = await listVersionContents(db, SETTINGS_SUBJECT, wanted)
  return versions.map(({ content }) => content as Partial<SiteSettings>)
}

function formerValues(
  versions: readonly Partial<SiteSettings>[],
  settings: SiteSettings,
  setting: Repeated,
): Former[] {
  const values = versions.flatMap((content) => content[setting] ?? [])
  const former = setting === 'name' ? formerNames(values, settings) : formerPhones(values, settings)
  return [...new Set(former)].slice(0, FORMER).map((value) => {
    if (setting === 'phone') return { value, ...digitsOf(value, settings) }
    return settings.name.includes(value) ? { value, except: settings.name } : { value }
  })
}

function digitsOf(phone: string, settings: SiteSettings): Omit<SpelledNumber, 'value'> {
  // The country may have changed with the number. Two numbers in one field are only found as written.
  const written = phone.replace(/\D/g, '').replace(/^0+/, '')
  const number = toNationalNumber(phone, localeOf(settings).country) ?? { digits: written }
  return number.digits.length > MOST_DIGITS ? {} : number
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

interface Screen {
  title: string
  adminPath: string
}

// Tags are code of another service.
function screensWith({ home, tags: _, ...settings }: SiteSettings, former: Former): Screen[] {
  const screens = [
    { title: settingsPage.title, adminPath: '/admin/settings', own: settings },
    { title: homePage.title, adminPath: '/admin/home', own: home },
  ]
  return screens.flatMap(({ own, ...screen }) => (isInTexts(own, former) ? screen : []))
}

function isInTexts(settings: object, { value, except, digits }: Former): boolean {
  const text = JSON.stringify(settings)
  if (digits !== undefined) return text.replace(PHONE_SIGNS, '').includes(digits)
  return (except === undefined ? text : text.replaceAll(except, '')).includes(value)
}
