import type { z } from 'zod'
import type { SiteSettings, siteSettings } from '../../../site/site-settings.ts'
import { COLOR_ROLES } from '../../../site/theme/presets.ts'
import type { FormValue } from '../admin-form.ts'

type Input = Partial<z.input<typeof siteSettings>>
type Values = Readonly<Record<string, FormValue>>

/** Lists of the settings: what stands in a row, and what a row is called. */
export const LISTS = {
  opening_hours: { columns: { days: 'Days', hours: 'Hours' }, noun: 'line' },
  socials: { columns: { label: 'Name', url: 'Address' }, noun: 'link' },
  navigation: { columns: { label: 'Text', path: 'Address' }, noun: 'link' },
  'home.points': { columns: { title: 'Title', text: 'Text' }, noun: 'reason' },
  'home.steps': { columns: { title: 'Title', text: 'Text' }, noun: 'step' },
  'home.faq': { columns: { question: 'Question', answer: 'Answer' }, noun: 'question' },
} as const satisfies Record<string, { columns: Record<string, string>; noun: string }>

export type ListName = keyof typeof LISTS

const TEXTS = ['name', 'tagline', 'phone', 'email', 'business_type', 'address', 'default_form'] as const
/** Settings without a default of their own: they are missing until somebody sets them. */
const OPTIONAL_TEXTS = ['logo', 'country', 'language', 'time_zone'] as const
const HOME_TEXTS = ['title', 'heading', 'intro'] as const
const PALETTES = ['colors', 'dark_colors'] as const

/** The settings as fields of a form. */
export function toFormValues(settings: SiteSettings): Record<string, FormValue> {
  const { theme, home } = settings
  return {
    ...Object.fromEntries(TEXTS.map((key) => [key, settings[key] ?? ''])),
    ...Object.fromEntries(OPTIONAL_TEXTS.map((key) => [key, settings[key] ?? ''])),
    ...Object.fromEntries(HOME_TEXTS.map((key) => [`home.${key}`, home[key] ?? ''])),
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
  const lists = listsOf(settings)
  const names = Object.keys(LISTS) as ListName[]
  const pairs = names.flatMap((list) => columnsOf(list).map((column) => [list, column] as const))
  return Object.fromEntries(
    pairs.map(([list, column]) => [`${list}.${column}`, lists[list].map((row) => row[column] ?? '')]),
  )
}

/** What a posted form says, for `changeSiteSettings`. Rows that are empty are left out. */
export function fromFormValues(values: Values): Input {
  const text = (key: string) => String(values[key] ?? '').trim() || null
  return {
    name: text('name') ?? '',
    ...Object.fromEntries(OPTIONAL_TEXTS.map((key) => [key, text(key) ?? undefined])),
    ...Object.fromEntries(TEXTS.filter((key) => key !== 'name').map((key) => [key, text(key)])),
    business_type: (text('business_type') ?? undefined) as Input['business_type'],
    opening_hours: rowsOf(values, 'opening_hours') as Input['opening_hours'],
    socials: rowsOf(values, 'socials') as Input['socials'],
    navigation: rowsOf(values, 'navigation') as Input['navigation'],
    theme: themeOf(text),
    home: {
      ...Object.fromEntries(HOME_TEXTS.map((key) => [key, text(`home.${key}`)])),
      points: rowsOf(values, 'home.points'),
      steps: rowsOf(values, 'home.steps'),
      faq: rowsOf(values, 'home.faq'),
    } as Input['home'],
  }
}

/** The rows of a list as they were typed, empty ones too. */
export function typedRows(values: Values, list: ListName): Record<string, string>[] {
  const columns = columnsOf(list).map((column) => [column, listOf(values[`${list}.${column}`])] as const)
  const count = Math.max(0, ...columns.map(([, texts]) => texts.length))
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(([column, texts]) => [column, texts[row]?.trim() ?? ''])),
  )
}

export function columnsOf(list: ListName): string[] {
  return Object.keys(LISTS[list].columns)
}

function rowsOf(values: Values, list: ListName): Record<string, string>[] {
  return typedRows(values, list).filter((row) => Object.values(row).some((text) => text !== ''))
}

function listsOf({
  opening_hours,
  socials,
  navigation,
  home,
}: SiteSettings): Record<ListName, readonly Readonly<Record<string, string>>[]> {
  const { points, steps, faq } = home
  return { opening_hours, socials, navigation, 'home.points': points, 'home.steps': steps, 'home.faq': faq }
}

function themeOf(text: (key: string) => string | null): Input['theme'] {
  const radius = text('theme.radius')
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
    radius: radius === null ? null : Number(radius),
    ...Object.fromEntries(palettes.filter(([, colors]) => Object.keys(colors ?? {}).length > 0)),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
  ) as Input['theme']
}

function listOf(value: FormValue | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? [])
}
