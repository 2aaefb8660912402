import { OWN_SECTIONS, type OwnSection } from '../../entries/sections/own-sections.ts'
import { isEmpty } from '../../entries/types/field-values.ts'
import type { PageKind } from '../../entries/types/page-kinds.ts'
import type { SchemaField } from '../../entries/types/schema-field.ts'
import type { Picture } from '../../pictures/picture.ts'
import { namedPicture, namedPictures } from '../pictures/entry-picture.ts'

/** The values of the site's own sections on a page, by section. Sections without a required value are missing. */
export type OwnSectionValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>

type Values = Readonly<Record<string, unknown>>

interface Shown {
  kind: PageKind
  /** Every section of the page. */
  shown: readonly string[]
  /** Sources of values, the page's own first. */
  from: readonly Values[]
  pictures: ReadonlyMap<string, Picture>
}

const NONE: OwnSectionValues = {}

/** Returns the values of a page's own sections. An empty field takes its value from the next source that has one. */
export function ownSectionValues(page: Shown, known: readonly OwnSection[] = OWN_SECTIONS): OwnSectionValues {
  const sections = known.filter(({ name, pages }) => page.shown.includes(name) && pages.includes(page.kind))
  if (sections.length === 0) return NONE
  return Object.fromEntries(
    sections.flatMap((section) => {
      const values = valuesOf(section, page)
      return values ? [[section.name, values]] : []
    }),
  )
}

function valuesOf({ fields, schema }: OwnSection, { from, pictures }: Shown): Values | undefined {
  const given = fields.flatMap(({ key, name }) => {
    const value = from.map((data) => data[key]).find((found) => !isEmpty(found))
    return value === undefined ? [] : [[name, value] as const]
  })
  const parsed = schema.safeParse(Object.fromEntries(given))
  if (!parsed.success) return undefined
  const byName = fields.map((field) => ({ ...field, key: field.name }))
  return withPictures(byName, parsed.data, pictures)
}

function withPictures(
  fields: readonly SchemaField[],
  values: Values,
  pictures: ReadonlyMap<string, Picture>,
): Values {
  const shown = fields.flatMap(({ key, type, fields: parts }): [string, unknown][] => {
    const value = values[key]
    if (type === 'picture') return [[key, namedPicture(pictures, value) ?? undefined]]
    if (type === 'pictures') return [[key, namedPictures(pictures, value)]]
    if (!parts || !Array.isArray(value)) return []
    return [[key, value.map((item) => withPictures(parts, item, pictures))]]
  })
  return { ...values, ...Object.fromEntries(shown) }
}
