import type { z } from 'zod'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { postedText } from '../../lib/posted-text.ts'
import type { SiteSettings, siteSettings } from '../../site/settings/site-settings.ts'
import { COLOR_ROLES } from '../../site/theme/presets.ts'
import type { FormValue } from '../kit/admin-form.ts'
import { columnsOf, LISTS, type ListName, rowsOfSettings, typedRows } from './setting-lists.ts'

type Input = Partial<z.input<typeof siteSettings>>
type Values = Readonly<Record<string, FormValue>>

/** Texts that are null when they are empty. */
const TEXTS = ['tagline', 'phone', 'email', 'address', 'default_form', 'share_pictures'] as const
/** Settings that are missing when they are empty: each then has its default. */
const OPTIONAL_TEXTS = ['logo', 'country', 'language', 'time_zone', 'business_type'] as const
const HOME_TEXTS = ['title', 'heading', 'intro'] as const
/** In text areas, which keep line breaks. */
const TEXT_AREAS: readonly string[] = ['address', 'home.intro']
const PALETTES = ['colors', 'dark_colors'] as const

/** The settings as fields of a form. */
export function toFormValues(settings: SiteSettings): Record<string, FormValue> {
  const { theme, home } = settings
  return {
    name: settings.name,
    ...Object.fromEntries([...TEXTS, ...OPTIONAL_TEXTS].map((key) => [key, settings[key] ?? ''])),
    ...Object.fromEntries(HOME_TEXTS.map((key) => [`home.${key}`, home[key] ?? ''])),
    quality_threshold: String(settings.quality_threshold),
    'theme.preset': theme.preset,
    'theme.fonts': theme.fonts ?? '',
    'theme.radius': String(theme.radius ?? ''),
    ...colorValues(theme),
    ...listValues(settings),
  }
}

function colorValues(theme: SiteSettings['theme']): Record<string, string> {
  const pairs = PALETTES.flatMap((palette) => COLOR_ROLES.map((role) => [palette, role] as const))
  return Object.fromEntries(
    pairs.map(([palette, role]) => [`theme.${palette}.${role}`, theme[palette]?.[role] ?? '']),
  )
}

function listValues(settings: SiteSettings): Record<string, string[]> {
  const names = Object.keys(LISTS) as ListName[]
  const pairs = names.flatMap((list) => columnsOf(list).map((column) => [list, column] as const))
  return Object.fromEntries(
    pairs.map(([list, column]) => [
      `${list}.${column}`,
      rowsOfSettings(settings, list).map((row) => row[column] ?? ''),
    ]),
  )
}

/**
 * The settings that a posted form changes, for `changeSiteSettings`. What comes back as the form showed it is left out,
 * so that saving one setting never touches another, as trimming would.
 */
export function changesOf(values: Values, settings: SiteSettings): Input {
  const shown = readInput(toFormValues(settings), settings)
  const typed = readInput(values, settings)
  const keys = Object.keys(typed) as (keyof Input)[]
  return Object.fromEntries(
    keys.filter((key) => !isEqual(typed[key], shown[key])).map((key) => [key, typed[key]]),
  )
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

function readInput(values: Values, settings: SiteSettings): Input {
  const stored = toFormValues(settings)
  const text = (key: string) => textOf(key, { values, stored })
  const rows = (list: ListName) => filledRows(values, list, settings)
  const { 'home.points': points, 'home.steps': steps, 'home.faq': faq, ...lists } = LISTS
  const listNames = Object.keys(lists) as ListName[]
  return {
    name: text('name') ?? '',
    ...Object.fromEntries(TEXTS.map((key) => [key, text(key)])),
    ...Object.fromEntries(OPTIONAL_TEXTS.map((key) => [key, text(key) ?? undefined])),
    ...Object.fromEntries(listNames.map((list) => [list, rows(list)])),
    quality_threshold: numberOf(text('quality_threshold')),
    theme: themeOf(text),
    home: {
      ...Object.fromEntries(HOME_TEXTS.map((key) => [key, text(`home.${key}`)])),
      points: rows('home.points'),
      steps: rows('home.steps'),
      faq: rows('home.faq'),
    },
  } as Input
}

// A field that was not posted says nothing about its setting.
function textOf(key: string, { values, stored }: { values: Values; stored: Values }): string | null {
  const known = String(stored[key] ?? '')
  const posted = values[key] === undefined ? known : String(values[key])
  return postedText(posted, { stored: known, isOneLine: !TEXT_AREAS.includes(key) }) || null
}

// Empty rows are left out; one that is as it was stored, wherever it was moved, stays so.
function filledRows(values: Values, list: ListName, settings: SiteSettings): Record<string, string>[] {
  const stored = rowsOfSettings(settings, list)
  return typedRows(values, list)
    .filter((row) => Object.values(row).some((text) => text !== ''))
    .map((row) => stored.find((one) => isSameRow(row, one, list)) ?? row)
}

function isSameRow(row: Record<string, string>, stored: Readonly<Record<string, string>>, list: ListName) {
  const long: readonly string[] = LISTS[list].long
  return columnsOf(list).every((column) => {
    const known = stored[column] ?? ''
    return postedText(row[column] ?? '', { stored: known, isOneLine: !long.includes(column) }) === known
  })
}

function themeOf(text: (key: string) => string | null): Input['theme'] {
  const palettes = PALETTES.map((palette) => [
    palette,
    Object.fromEntries(
      COLOR_ROLES.flatMap((role) => {
        const color = text(`theme.${palette}.${role}`)
        return color === null ? [] : [[role, color]]
      }),
    ),
  ])
  const given = {
    preset: text('theme.preset') ?? undefined,
    fonts: text('theme.fonts'),
    radius: numberOf(text('theme.radius')),
    ...Object.fromEntries(palettes.filter(([, colors]) => Object.keys(colors ?? {}).length > 0)),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
  ) as Input['theme']
}

// An empty field leaves the default; a text that is not a number is refused as one.
function numberOf(text: string | null): number | undefined {
  return text === null ? undefined : Number(text)
}
