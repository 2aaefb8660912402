import type { Db } from '../../db/schema.ts'
import { meaningOf } from '../types/builtin/registry.ts'
import type { FieldErrors } from '../types/check-fields.ts'
import type { ContentType } from '../types/content-type-store.ts'

export interface Resolved {
  /** The values with slugs of places turned into ids. */
  data: Record<string, unknown>
  errors: FieldErrors
}

/** Checks what the fields of a built-in type name (§2.9 rules 1 and 2): forms, drawings, pictures, services, places, testimonials. */
export async function resolveReferences(
  db: Db,
  type: ContentType,
  values: Readonly<Record<string, unknown>>,
): Promise<Resolved> {
  const data = { ...values }
  const errors: FieldErrors = {}
  for (const [key, value] of Object.entries(values)) {
    const resolved = await meaningOf(type.slug, key)?.resolve(db, value)
    if (!resolved) continue
    if ('error' in resolved) errors[key] = [resolved.error]
    else data[key] = resolved.value
  }
  return { data, errors }
}
