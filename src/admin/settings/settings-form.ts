import type { z } from 'zod'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { postedText } from '../../lib/posted-text.ts'
import type { SiteSettings, siteSettings } from '../../site/settings/site-settings.ts'
import { COLOR_ROLES } from '../../site/theme/presets.ts'
import type { FormValue } from '../kit/admin-form.ts'
import { columnsOf, LIST_NAMES, LISTS, type ListName, typedRows } from './setting-lists.ts'

type Input = Partial<z.input<typeof siteSettings>>
type Values = Readonly<Record<string, FormValue>>
type Row = Readonly<Record<string, string>>

/** Settings that are one value: the name of a field is the way to its setting in `content/site.yaml`. */
const NAMES = [
  ...['name', 'logo', 'tagline', 'business_type', 'phone', 'email', 'address'],
  ...['country', 'language', 'time_zone', 'default_form', 'share_pictures', 'quality_threshold'],
  ...['home.title', 'home.heading', 'home.intro', 'theme.preset', 'theme.fonts', 'theme.radius'],
  ...COLOR_ROLES.flatMap((role) => [`theme.colors.${role}`, `theme.dark_colors.${role}`]),
]
const NUMBERS = ['quality_threshold', 'theme.radius']
/** In text areas, which keep line breaks. */
const TEXT_AREAS = ['address', 'home.intro']

/** The settings as fields of a form. */
export function toFormValues(settings: SiteSettings): Record<string, FormValue> {
  const texts = NAMES.map((name) => [name, String(valueAt(settings, name) ?? '')])
  const lists = LIST_NAMES.flatMap((list) =>
    columnsOf(list).map((column) => [
      `${list}.${column}`,
      rowsOf(settings, list).map((row) => row[column] ?? ''),
    ]),
  )
  return Object.fromEntries([...texts, ...lists])
}

/**
 * The settings that a posted form changes, for `changeSiteSettings`. What comes back as the form showed it is left out,
 * so that saving one setting never touches another, as trimming would.
 */
export function changesOf(values: Values, settings: SiteSettings): Input {
  const shown = readInput(toFormValues(settings), settings)
  const typed = readInput(values, settings)
  const isSame = (key: string) => canonicalJson(typed[key] ?? null) === canonicalJson(shown[key] ?? null)
  const keys = Object.keys({ ...shown, ...typed }).filter((key) => !isSame(key))
  return Object.fromEntries(keys.map((key) => [key, typed[key]]))
}

// What is empty is left out, and gets its default. A text that is not a number is refused as one.
function readInput(values: Values, settings: SiteSettings): Record<string, unknown> {
  const stored = toFormValues(settings)
  const input: Record<string, unknown> = {}
  for (const name of NAMES) {
    const text = textOf(name, { values, stored })
    if (text !== '') put(input, name, NUMBERS.includes(name) ? Number(text) : text)
  }
  for (const list of LIST_NAMES) put(input, list, filledRows(values, list, settings))
  return input
}

// A field that was not posted says nothing about its setting.
function textOf(name: string, { values, stored }: { values: Values; stored: Values }): string {
  const known = String(stored[name])
  const isOneLine = !TEXT_AREAS.includes(name)
  return postedText(String(values[name] ?? known), { stored: known, isOneLine })
}

// Empty rows are left out; one that is as it was stored, wherever it was moved, stays so.
function filledRows(values: Values, list: ListName, settings: SiteSettings): Row[] {
  const stored = rowsOf(settings, list)
  return typedRows(values, list)
    .filter((row) => Object.values(row).some((text) => text !== ''))
    .map((row) => stored.find((one) => isSameRow(row, one, list)) ?? row)
}

function isSameRow(row: Row, stored: Row, list: ListName): boolean {
  const long: readonly string[] = LISTS[list].long
  return columnsOf(list).every((column) => {
    const known = stored[column] ?? ''
    return postedText(row[column] ?? '', { stored: known, isOneLine: !long.includes(column) }) === known
  })
}

function rowsOf(settings: SiteSettings, list: ListName): readonly Row[] {
  return (valueAt(settings, list) ?? []) as Row[]
}

function valueAt(settings: object, name: string): unknown {
  return name
    .split('.')
    .reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], settings)
}

function put(target: Record<string, unknown>, name: string, value: unknown): void {
  const [key = '', ...rest] = name.split('.')
  if (rest.length === 0) target[key] = value
  else {
    target[key] ??= {}
    put(target[key] as Record<string, unknown>, rest.join('.'), value)
  }
}
