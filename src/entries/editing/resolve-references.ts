import type { Db } from '../../db/schema.ts'
import type { AdminFault, AdminProblem } from '../../messages/admin/problems.ts'
import { findMissingNames } from '../../pictures/picture-store.ts'
import { isKnown, type KnownNames, namesInDatabase } from '../meanings/is-known.ts'
import type { FieldMeaning } from '../meanings/meaning.ts'
import { meaningOf } from '../types/builtin/registry.ts'
import type { ContentType } from '../types/content-type-store.ts'
import { picturesInFields, withPictureNames } from '../types/picture-fields.ts'

export interface Resolved {
  /** The values with place slugs replaced by IDs. */
  data: Record<string, unknown>
  problems: AdminProblem[]
}

/**
 * Checks the references in a built-in type's fields (§2.9 rules 1 and 2): forms, icons, pictures, services, places,
 * testimonials.
 */
export async function resolveReferences(
  db: Db,
  type: ContentType,
  values: Readonly<Record<string, unknown>>,
): Promise<Resolved> {
  const data = withPictureNames(type.fields, values)
  const problems: AdminProblem[] = await findPictureProblems(db, type, data)
  const names = namesInDatabase(db)
  for (const [key, value] of Object.entries(values)) {
    const meaning = meaningOf(type.slug, key)
    const resolved = meaning && (await resolve(db, meaning, { key, value }, names))
    if (!resolved) continue
    if ('fault' in resolved) problems.push({ path: [key], ...resolved.fault })
    else data[key] = resolved.value
  }
  return { data, problems }
}

async function findPictureProblems(
  db: Db,
  { fields }: ContentType,
  data: Readonly<Record<string, unknown>>,
): Promise<AdminProblem[]> {
  const named = picturesInFields(fields, data)
  const missing = await findMissingNames(
    db,
    named.map(({ name }) => name),
  )
  return named
    .filter(({ name }) => missing.has(name))
    .map(({ path, name }) => ({ path: inputOf(path), code: 'no_picture', params: { name } }))
}

// All pictures of a list share one input.
function inputOf(path: PropertyKey[]): PropertyKey[] {
  return typeof path.at(-1) === 'number' ? path.slice(0, -1) : path
}

async function resolve(
  db: Db,
  { resolve: resolveIds, named, missing }: FieldMeaning,
  { key, value }: { key: string; value: unknown },
  names: KnownNames<Promise<boolean>>,
): Promise<{ value: unknown } | { fault: AdminFault } | undefined> {
  if (resolveIds) return resolveIds(db, value)
  const unknown: string[] = []
  for (const text of [value].flat().map(String))
    if (named && !(await isKnown(named(text, key), names))) unknown.push(text)
  return missing && unknown.length > 0 ? { fault: missing(unknown) } : undefined
}
