import { findFieldType } from '../forms/field-types/field-types.ts'
import type { Json } from '../lib/canonical-json.ts'
import { NULLABLE_META_KEYS } from './meta.ts'
import { listExpressions } from './payload-template.ts'
import { metaKeyOf } from './reference.ts'
import type { TemplateField } from './template-field.ts'

/** A value of a template that is null for some submissions. */
export interface NullWarning {
  /** `['embeds', 0, 'value']` */
  path: readonly (string | number)[]
  /** `{{budget}}` */
  written: string
  /** `{{budget | text}}` */
  fix: string
}

/**
 * The values of a template that can be null although many receivers expect text there: an optional question or a key of
 * `meta` that stands alone. Any filter resolves it.
 */
export function listNullWarnings(template: Json, fields: readonly TemplateField[]): NullWarning[] {
  return listExpressions(template)
    .filter(({ name, filters, isWhole }) => isWhole && filters.length === 0 && canBeNull(name, fields))
    .map(({ path, written, name, takesLabel }) => ({
      path,
      written,
      fix: `{{${name}${takesLabel ? '.label' : ''} | text}}`,
    }))
}

function canBeNull(name: string, fields: readonly TemplateField[]): boolean {
  const key = metaKeyOf(name)
  if (key !== undefined) return NULLABLE_META_KEYS.some((known) => known === key)
  const field = fields.find((one) => one.name === name)
  // An empty checkbox is false, an empty group of them an empty list (contract §5).
  return field !== undefined && !field.required && findFieldType(field.type)?.storedAs !== 'boolean'
}
