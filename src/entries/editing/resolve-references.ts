import type { Db } from '../../db/schema.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { meaningOf } from '../types/builtin/registry.ts'
import type { ContentType } from '../types/content-type-store.ts'

export interface Resolved {
  /** The values with slugs of places turned into ids. */
  data: Record<string, unknown>
  problems: AdminProblem[]
}

/** Checks what the fields of a built-in type name (§2.9 rules 1 and 2): forms, drawings, pictures, services, places, testimonials. */
export async function resolveReferences(
  db: Db,
  type: ContentType,
  values: Readonly<Record<string, unknown>>,
): Promise<Resolved> {
  const data = { ...values }
  const problems: AdminProblem[] = []
  for (const [key, value] of Object.entries(values)) {
    const resolved = await meaningOf(type.slug, key)?.resolve(db, value)
    if (!resolved) continue
    if ('fault' in resolved) problems.push({ path: [key], ...resolved.fault })
    else data[key] = resolved.value
  }
  return { data, problems }
}
