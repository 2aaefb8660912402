import { z } from 'zod'
import { Failure } from '../../lib/messages.ts'
import { sectionHints } from '../../messages/admin/entry-problems.ts'
import { addProblem, problemOf } from '../../messages/files/rules/schema-rule.ts'
import { ownSectionFailures } from '../../messages/server/own-sections.ts'
import type { SchemaField } from '../types/schema-field.ts'

/** A section's field, as a field of the types whose pages show the section. */
export interface SectionField extends SchemaField {
  section: string
  /** Name of the component's prop. */
  name: string
  check: z.ZodType
}

/** Label, hint, and input of a field, from zod's `meta()`. */
interface FieldMeta {
  title?: string
  description?: string
  /** Makes it a text area. */
  lines?: number
  field?: 'picture' | 'pictures'
}

const FIELD_NAME = /^[a-z][a-z0-9_]{0,30}$/
const SUPPORTED =
  'z.string(), z.url(), z.iso.date(), z.number(), z.boolean(), z.enum(), picture(), pictures(), z.array(z.string()), z.array(z.object({ … of texts }))'

interface Place {
  section: string
  file: string
}

/** Lists a section's fields by its schema. Throws for a field that the editor can't show. */
export function toSectionFields(schema: z.ZodObject, place: Place): SectionField[] {
  return Object.entries(schema.shape).map(([name, given]) => {
    const { bare, meta } = unwrap(given as z.ZodType)
    const field = toField(name, { bare, meta }, place)
    return {
      ...field,
      ...{ section: place.section, name, key: `${place.section}_${name}`, check: strictly(field, bare) },
      hint: hintOf(given as z.ZodType, meta),
    }
  })
}

// The page can be saved without the value, but doesn't show the section then.
function hintOf(schema: z.ZodType, { description }: FieldMeta): string | undefined {
  const isNeeded = !schema.safeParse(undefined).success
  return isNeeded ? [description, sectionHints.needed].filter(Boolean).join(' ') : description
}

function toField(name: string, { bare, meta }: Unwrapped, { file }: Pick<Place, 'file'>): SchemaField {
  if (!FIELD_NAME.test(name)) throw new Failure(ownSectionFailures, 'fieldNameInvalid', file, name)
  const found = meta.field ? { type: meta.field } : typeOf(bare, meta, { name, file })
  if (!found) throw new Failure(ownSectionFailures, 'fieldUnknown', file, name, SUPPORTED)
  const spoken = name.replaceAll('_', ' ')
  return { key: name, label: meta.title ?? `${spoken.charAt(0).toUpperCase()}${spoken.slice(1)}`, ...found }
}

// An item schema drops unknown keys, and with them someone's text.
function strictly({ fields }: SchemaField, schema: z.ZodType): z.ZodType {
  if (!fields) return schema
  const known = new Set(fields.map(({ key }) => key))
  return z.array(z.record(z.string(), z.unknown())).superRefine((items, context) => {
    for (const [index, item] of items.entries()) {
      const keys = Object.keys(item).filter((key) => !known.has(key))
      if (keys.length > 0) addProblem(context, { path: [index], code: 'unknown_keys', params: { keys } })
    }
    for (const issue of schema.safeParse(items).error?.issues ?? []) addProblem(context, problemOf(issue))
  })
}

type Kind = Pick<SchemaField, 'type' | 'fields' | 'options'>

function typeOf(
  bare: z.ZodType,
  { lines }: FieldMeta,
  place: { name: string; file: string },
): Kind | undefined {
  if (bare instanceof z.ZodEnum) return { type: 'text', options: bare.options.map(String) }
  if (bare instanceof z.ZodURL) return { type: 'url' }
  if (bare instanceof z.ZodISODate) return { type: 'date' }
  if (bare instanceof z.ZodString || bare instanceof z.ZodStringFormat)
    return { type: (lines ?? 1) > 1 ? 'textarea' : 'text' }
  if (bare instanceof z.ZodNumber) return { type: 'number' }
  if (bare instanceof z.ZodBoolean) return { type: 'boolean' }
  return bare instanceof z.ZodArray ? listOf(unwrap(bare.element as z.ZodType).bare, place) : undefined
}

// The settings screen has a text for each part of a row.
function listOf(element: z.ZodType, { file, name }: { name: string; file: string }): Kind | undefined {
  if (!(element instanceof z.ZodObject))
    return typeOf(element, {}, { name, file })?.type === 'text' ? { type: 'list' } : undefined
  const fields = Object.entries(element.shape).map(([part, given]) => {
    const unwrapped = unwrap(given as z.ZodType)
    const field = toField(part, unwrapped, { file })
    return { ...field, required: unwrapped.bare === given }
  })
  const isOfTexts = fields.every(({ type, fields: inner }) => !inner && TEXTS.has(type))
  return isOfTexts ? { type: 'list', fields } : undefined
}

const TEXTS = new Set<SchemaField['type']>(['text', 'textarea', 'url', 'date', 'picture'])

interface Unwrapped {
  /** Without the wrappers for optional values and defaults, because a page inherits missing values. */
  bare: z.ZodType
  meta: FieldMeta
}

function unwrap(schema: z.ZodType): Unwrapped {
  const own = (schema.meta() ?? {}) as FieldMeta
  if (!('innerType' in schema.def)) return { bare: schema, meta: own }
  const { bare, meta } = unwrap(schema.def.innerType as z.ZodType)
  return { bare, meta: { ...meta, ...own } }
}
