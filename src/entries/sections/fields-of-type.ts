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

/**
 * Returns a type's fields, including those of the sections that its pages can show. The stored type doesn't include
 * section fields.
 */
export function withSectionFields(slug: string, fields: readonly SchemaField[]): SchemaField[] {
  const own = withoutSectionFields(fields)
  const kind = KINDS.get(slug)
  const added = kind ? sectionFields(kind).map(toSchemaField) : []
  const taken = added.find(({ key }) => own.some((field) => field.key === key))
  if (taken) throw new Failure(ownSectionFailures, 'fieldTaken', String(taken.section), taken.key)
  return [...own, ...added]
}

/** Returns the stored fields of a type. */
export function withoutSectionFields(fields: readonly SchemaField[]): SchemaField[] {
  return fields.filter(({ section }) => section === undefined)
}

/** Returns the fields of every section that a kind of page can show. */
export function sectionFields(kind: PageKind): SectionField[] {
  return OWN_SECTIONS.filter(({ pages }) => pages.includes(kind)).flatMap(({ fields }) => [...fields])
}

/** Returns a section's rule for the value of its field. */
export function checkOfField({ section, key }: SchemaField): z.ZodType | undefined {
  const own = OWN_SECTIONS.find(({ name }) => name === section)
  return own?.fields.find((field) => field.key === key)?.check
}

// Types are compared as text, which doesn't work for a check function.
function toSchemaField({ name: _, check: __, ...field }: SectionField): SchemaField {
  return field
}
