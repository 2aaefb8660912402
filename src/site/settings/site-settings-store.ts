import { z } from 'zod'
import type { Db } from '../../db/schema.ts'
import { listSections, type PageKind } from '../../entries/types/page-sections.ts'
import { bareName } from '../../entries/types/read-order.ts'
import { FONT_PAIRS } from '../theme/font-pairs.ts'
import { PRESETS } from '../theme/looks.ts'
import {
  DEFAULT_SITE_SETTINGS,
  type SiteSettings,
  siteSettings,
  storedSiteSettings,
} from './site-settings.ts'

const SITE_KEY = 'site'

// Blank texts could be stored in the past. They count as missing, along with their list row, so that no site breaks.
function filledParts(settings: object): object {
  const parts = Object.entries(settings).filter(([, part]) => !isBlank(part))
  return Object.fromEntries(parts.map(([key, part]) => [key, withoutBlanks(part)]))
}

function withoutBlanks(part: unknown): unknown {
  if (Array.isArray(part)) return part.filter((row) => !Object.values(row).some(isBlank))
  return typeof part === 'object' && part !== null ? filledParts(part) : part
}

function isBlank(part: unknown): boolean {
  return typeof part === 'string' && part.trim() === ''
}

const HOME: Readonly<Record<string, z.ZodType>> = siteSettings.shape.home.def.innerType.shape

// A section without a component must not break a site, nor must a missing look or a field that became a list: its
// texts stay until the settings are saved.
function withoutRemovedParts({ sections, home, theme, ...settings }: Stored): object {
  const kept = Object.entries(sections ?? {}).map(([kind, names]) => {
    const known = listSections(kind as PageKind)
    return [kind, names.filter((name) => known.includes(bareName(name)))]
  })
  const values = Object.entries(home ?? {}).filter(([key, value]) => isOfKind(HOME[key], value))
  return {
    ...settings,
    ...(sections && { sections: Object.fromEntries(kept) }),
    ...(home && { home: Object.fromEntries(values) }),
    ...(theme && { theme: withoutRemovedLook(theme) }),
  }
}

// The settings screen shows any text or number, but not a list in place of one.
function isOfKind(schema: z.ZodType | undefined, value: unknown): boolean {
  if (!schema) return false
  const issues = schema.safeParse(value).error?.issues ?? []
  return !issues.some(
    (issue) =>
      issue.code === 'invalid_type' &&
      issue.path.length === 0 &&
      (Array.isArray(value) || issue.expected === 'array'),
  )
}

function withoutRemovedLook({ preset, fonts, ...theme }: NonNullable<Stored['theme']>): object {
  return {
    ...theme,
    ...(preset !== undefined && PRESETS.has(preset) && { preset }),
    ...(fonts !== undefined && FONT_PAIRS.has(fonts) && { fonts }),
  }
}

interface Stored {
  theme?: { preset?: string; fonts?: string }
  sections?: Record<string, string[]>
  home?: Record<string, unknown>
}

const siteColumn = z.codec(z.string(), storedSiteSettings, {
  decode: (text) => ({
    name: DEFAULT_SITE_SETTINGS.name,
    ...filledParts(withoutRemovedParts(JSON.parse(text))),
  }),
  encode: (settings) => JSON.stringify(settings),
})

/** Returns the site's settings; the defaults if none were saved. */
export async function findSiteSettings(db: Db): Promise<SiteSettings> {
  return (await findSavedSiteSettings(db)) ?? DEFAULT_SITE_SETTINGS
}

/** Returns the saved settings, or undefined. */
export async function findSavedSiteSettings(db: Db): Promise<SiteSettings | undefined> {
  return (await findSettingsRow(db))?.settings
}

/** Returns the saved settings with the time of their save (UTC text), or undefined. */
export async function findSettingsRow(
  db: Db,
): Promise<{ settings: SiteSettings; updatedAt: string } | undefined> {
  const row = await db
    .selectFrom('settings')
    .select(['value_json', 'updated_at'])
    .where('key', '=', SITE_KEY)
    .executeTakeFirst()
  return row && { settings: siteColumn.decode(row.value_json), updatedAt: row.updated_at }
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
