import type { z } from 'zod'
import { linesOf } from '../../entries/types/posted-fields.ts'
import { isTurnedOff, readChoice, wholeOrder } from '../../entries/types/read-order.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { postedText } from '../../lib/posted-text.ts'
import { settingName } from '../../messages/admin/settings/setting-names.ts'
import type { LabeledText } from '../../publish/addresses/find-broken-links.ts'
import type { ShownSetting } from '../../site/settings/setting-field.ts'
import { SHOWN_SETTINGS, type SiteSettings, type siteSettings } from '../../site/settings/site-settings.ts'
import type { FormValue } from '../kit/admin-form.ts'

type Input = Partial<z.input<typeof siteSettings>>
type Values = Readonly<Record<string, FormValue>>
type Row = Readonly<Record<string, string>>

const VALUES = SHOWN_SETTINGS.filter(({ columns, ordered }) => !columns && !ordered)
/** Settings with an order. */
const ORDERS = SHOWN_SETTINGS.flatMap(({ name, ordered, usual }) =>
  ordered ? [{ name, ordered, usual: usual ?? ordered }] : [],
)
/** Settings whose values are rows. */
export const LISTS = SHOWN_SETTINGS.flatMap(({ columns, ...list }) => (columns ? [{ ...list, columns }] : []))

/** Columns that contain an address. */
const ADDRESSES: readonly string[] = ['path', 'url']

export type SettingList = (typeof LISTS)[number]

/** The settings as form fields. */
export function toFormValues(settings: SiteSettings): Record<string, FormValue> {
  const texts = VALUES.map(({ name }) => [name, [valueAt(settings, name) ?? []].flat().join('\n')])
  const lists = LISTS.flatMap((list) =>
    list.columns.map((column) => [
      `${list.name}.${column.name}`,
      rowsOf(settings, list).map((row) => row[column.name] ?? ''),
    ]),
  )
  const orders = ORDERS.flatMap(({ name, ordered, usual }) => {
    const stored = (valueAt(settings, name) ?? usual) as readonly string[]
    const all = wholeOrder(stored, ordered)
    const shown = stored.filter((one) => !isTurnedOff(one))
    const place = all.map((_, index) => String(index + 1))
    return Object.entries({ all, place, shown }).map(([part, value]) => [`${name}.${part}`, value])
  })
  return Object.fromEntries([...texts, ...lists, ...orders])
}

/** Lists the texts of these settings with their labels. An address alone, as in the menu, is written as a link. */
export function listTexts(settings: SiteSettings, shown: readonly ShownSetting[]): LabeledText[] {
  const values = toFormValues(settings)
  return shown.map(({ name, texts: { label }, columns }) => ({
    label,
    text: columns
      ? columns.map((column) => {
          const texts = [values[`${name}.${column.name}`] ?? []].flat()
          return ADDRESSES.includes(column.name) ? texts.map((address) => `[](${address})`) : texts
        })
      : values[name],
  }))
}

/**
 * Returns the settings that a posted form changes, for `changeSiteSettings`. Unchanged values are left out, so that
 * saving one setting never touches another, for example by trimming. So are settings without a field in the form.
 */
export function changesOf(values: Values, settings: SiteSettings): Input {
  const shown = readInput(toFormValues(settings), settings)
  const typed = readInput(values, settings)
  const isSame = (key: string) => canonicalJson(typed[key] ?? null) === canonicalJson(shown[key] ?? null)
  const keys = Object.keys({ ...shown, ...typed }).filter((key) => !isSame(key))
  return Object.fromEntries(keys.map((key) => [key, typed[key]]))
}

/** Returns the names of the settings that these changes affect, such as `Section order: Home page`. */
export function nameChanges(changes: Input, settings: SiteSettings): string[] {
  const before = toFormValues(settings)
  const after = toFormValues({ ...settings, ...changes } as SiteSettings)
  const changed = Object.keys({ ...before, ...after }).filter(
    (key) => canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null),
  )
  const isChanged = ({ name }: ShownSetting) =>
    changed.some((key) => key === name || key.startsWith(`${name}.`))
  const names = SHOWN_SETTINGS.filter(isChanged).map(({ name, texts }) => settingName(name, texts.label))
  return [...new Set(names)]
}

// Empty values are left out and get their defaults. Text in a number field is refused.
function readInput(values: Values, settings: SiteSettings): Record<string, unknown> {
  const stored = toFormValues(settings)
  const input: Record<string, unknown> = {}
  for (const setting of VALUES) {
    const text = textOf(setting, { values, stored })
    if (text !== '') put(input, setting.name, typedValue(setting, text))
  }
  for (const list of LISTS) put(input, list.name, filledRows(values, list, settings))
  for (const order of ORDERS) {
    const chosen = postedOrder(values[`${order.name}.all`] === undefined ? stored : values, order)
    if (canonicalJson(chosen) !== canonicalJson([...order.usual])) put(input, order.name, chosen)
  }
  return input
}

// The default order isn't stored, so that items added in later versions are shown.
function postedOrder(values: Values, { name, ordered }: (typeof ORDERS)[number]): string[] {
  const [all = [], place = [], shown = []] = ['all', 'place', 'shown'].map((part) =>
    [values[`${name}.${part}`] ?? []].flat(),
  )
  return readChoice({ all, place, shown }, ordered)
}

// The schema refuses text that isn't a boolean.
function typedValue({ isNumber, isBoolean, isList }: ShownSetting, text: string): unknown {
  if (isList) return [...new Set(linesOf(text))]
  if (isBoolean) return text === 'true' || (text === 'false' ? false : text)
  return isNumber ? Number(text) : text
}

// A missing field leaves its setting unchanged.
function textOf(
  { name, lines, isList }: ShownSetting,
  { values, stored }: { values: Values; stored: Values },
): string {
  const known = String(stored[name])
  const isOneLine = lines === undefined && !isList
  // A list may have ticked boxes besides the text.
  const posted = [values[name] ?? known, values[`${name}.more`] ?? []].flat().join('\n')
  return postedText(posted, { stored: known, isOneLine })
}

// Empty rows are left out; an unchanged row keeps its stored form, wherever it was moved. A form with the list has a
// field of its name even when there are no rows.
function filledRows(values: Values, list: SettingList, settings: SiteSettings): readonly Row[] {
  const stored = rowsOf(settings, list)
  const names = [list.name, ...list.columns.map((column) => `${list.name}.${column.name}`)]
  if (names.every((name) => values[name] === undefined)) return stored
  return typedRows(values, list)
    .filter((row) => Object.values(row).some((text) => text !== ''))
    .map((row) => stored.find((one) => isSameRow(row, one, list)) ?? row)
}

function isSameRow(row: Row, stored: Row, list: SettingList): boolean {
  return list.columns.every(({ name, lines }) => {
    const known = stored[name] ?? ''
    return postedText(row[name] ?? '', { stored: known, isOneLine: lines === undefined }) === known
  })
}

/** The rows of a list as typed, including empty ones. */
export function typedRows(values: Values, { name, columns }: SettingList): Record<string, string>[] {
  const typed = columns.map(
    (column) => [column.name, [values[`${name}.${column.name}`] ?? []].flat()] as const,
  )
  const count = Math.max(0, ...typed.map(([, texts]) => texts.length))
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(typed.map(([column, texts]) => [column, texts[row]?.trim() ?? ''])),
  )
}

function rowsOf(settings: SiteSettings, list: SettingList): readonly Row[] {
  return (valueAt(settings, list.name) ?? []) as Row[]
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
