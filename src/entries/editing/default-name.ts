import type { Db } from '../../db/schema.ts'
import { MAX_SLUG_LENGTH, slugOf } from '../../lib/slug.ts'
import { findEntry } from '../entry-store.ts'
import { rulesOf } from '../types/builtin/registry.ts'
import type { ContentType } from '../types/content-type-store.ts'
import type { EntryInput } from './entry-input.ts'

// `-9999`
const NUMBER_LENGTH = 5

/** Returns the input with a title and a free slug from the field that names entries of this type, if they are empty. */
export async function withDefaultName(
  db: Db,
  type: ContentType,
  input: EntryInput,
  { isNew }: { isNew: boolean },
): Promise<EntryInput> {
  const { namedAfter, noun } = rulesOf(type.slug)
  if (namedAfter === undefined) return input
  const name = String(input.fields[namedAfter] ?? '').trim()
  // Without both, the field that names it reports the problem.
  const title = input.title.trim() || name || noun
  const slug = isNew && input.slug === '' ? await findFreeSlug(db, type, slugOf(name) || noun) : input.slug
  return { ...input, title, slug }
}

async function findFreeSlug(db: Db, { id }: ContentType, wanted: string): Promise<string> {
  const start = wanted.slice(0, MAX_SLUG_LENGTH - NUMBER_LENGTH).replace(/-$/, '')
  let slug = start
  for (let number = 2; await findEntry(db, id, slug); number++) slug = `${start}-${number}`
  return slug
}
