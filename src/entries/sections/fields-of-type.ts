import type { z } from 'zod'
import { Failure } from '../../lib/messages.ts'
import { ownSectionFailures } from '../../messages/server/own-sections.ts'
import { LOCATION_SERVICES, SERVICES } from '../types/builtin/slugs.ts'
import type { PageKind } from '../types/page-kinds.ts'
import type { SchemaField } from '../types/schema-field.ts'
import { OWN_SECTIONS } from './own-sections.ts'
import type { SectionField } from './section-fields.ts'

const KINDS = new Map<string, PageKind>([
  [SERVICES, 'service'],
  [LOCATION_SERVICES, 'location_service'],
])

/** The fields of a type with those of the sections that its pages may show. The stored type has none of them. */
export function withSectionFields(slug: string, fields: readonly SchemaField[]): SchemaField[] {
  const own = withoutSectionFields(fields)
  const kind = KINDS.get(slug)
  const added = kind ? sectionFields(kind).map(toSchemaField) : []
  const taken = added.find(({ key }) => own.some((field) => field.key === key))
  if (taken) throw new Failure(ownSectionFailures, 'fieldTaken', String(taken.section), taken.key)
  return [...own, ...added]
}

/** The fields that are stored with a type. */
export function withoutSectionFields(fields: readonly SchemaField[]): SchemaField[] {
  return fields.filter(({ section }) => section === undefined)
}

/** The fields of every section that a kind of page may show. */
export function sectionFields(kind: PageKind): SectionField[] {
  return OWN_SECTIONS.filter(({ pages }) => pages.includes(kind)).flatMap(({ fields }) => [...fields])
}

/** Returns what a section asks of the value of its field. */
export function checkOfField({ section, key }: SchemaField): z.ZodType | undefined {
  const own = OWN_SECTIONS.find(({ name }) => name === section)
  return own?.fields.find((field) => field.key === key)?.check
}

// Types are compared as text, which a check is not.
function toSchemaField({ name: _, check: __, ...field }: SectionField): SchemaField {
  return field
}
