import type { Db } from '../../db/schema.ts'
import { listEntriesById, listPublishedWith, type NamedEntry } from '../../entries/entry-lookup-store.ts'
import { mapTexts } from '../../entries/history/change-texts.ts'
import { localeOf } from '../../lib/locale/locale.ts'
import { toDialable } from '../../lib/locale/phone-number.ts'
import { replaceNumber } from '../../lib/locale/spelled-number.ts'
import { compareSettings } from '../../site/settings/compare-settings.ts'
import type { SiteSettings } from '../../site/settings/site-settings.ts'
import { findFormerNumber } from './old-uses.ts'

/** Entries that one request changes. */
const MOST_ENTRIES = 200
const SHOWN_AROUND = 60

/** A paragraph before and after, or the part of it around the number. */
interface ChangedText {
  before: string
  after: string
}

/** The texts in which the present phone number can replace an earlier one. */
export interface OldNumberTexts {
  /** The present number. */
  phone: string
  replace: (text: string) => string
  /** The settings with the present number; those that stay are left out. */
  settings: Partial<SiteSettings>
  /** By their path in `content/site.yaml`. */
  ofSettings: { path: string; texts: ChangedText[] }[]
  entries: (NamedEntry & { texts: ChangedText[] })[]
}

/** Finds the texts with an earlier phone number; undefined if `number` isn't one, or if there is no present number. */
export async function findOldNumberTexts(
  db: Db,
  settings: SiteSettings,
  number: string,
): Promise<OldNumberTexts | undefined> {
  const { phone } = settings
  const former = await findFormerNumber(db, settings, number)
  if (!former || phone === null) return undefined
  const present = { value: phone, dialable: toDialable(phone, localeOf(settings).country) }
  // The former number may be a part of the present one.
  const replace = (text: string) =>
    text
      .split(phone)
      .map((part) => replaceNumber(part, former, present))
      .join(phone)
  const { pages: named } = await listPublishedWith(db, former, { limit: MOST_ENTRIES })
  const stored = await listEntriesById(
    db,
    named.map(({ id }) => id),
  )
  const entries = named.flatMap((entry) => {
    const { title, body, data } = stored.get(entry.id) ?? {}
    const texts = listChanged({ title, body, data }, replace)
    return texts.length > 0 ? [{ ...entry, texts }] : []
  })
  return { phone, replace, ...changesOf(settings, replace), entries }
}

// Tags are code of another service.
function changesOf({ tags: _, ...settings }: SiteSettings, replace: (text: string) => string) {
  const changed = mapTexts(settings, replace)
  const found = compareSettings(settings, changed)
  const keys = new Set(found.map(({ path }) => path.split('.')[0]))
  return {
    settings: Object.fromEntries(Object.entries(changed).filter(([key]) => keys.has(key))),
    ofSettings: found.map(({ path, before }) => ({ path, texts: listChanged(before, replace) })),
  }
}

function listChanged(value: unknown, replace: (text: string) => string): ChangedText[] {
  const texts: string[] = []
  mapTexts(value, (text) => {
    texts.push(...text.split(/\n{2,}/))
    return text
  })
  return texts.map((before) => ({ before, after: replace(before) })).flatMap(shorten)
}

// Only the part with the number of a long paragraph.
function shorten({ before, after }: ChangedText): ChangedText[] {
  if (before === after) return []
  let start = 0
  while (before[start] === after[start]) start += 1
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const from = Math.max(0, start - SHOWN_AROUND)
  const cut = (text: string) => {
    const to = Math.min(text.length, text.length - end + SHOWN_AROUND)
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
  }
  return [{ before: cut(before), after: cut(after) }]
}
