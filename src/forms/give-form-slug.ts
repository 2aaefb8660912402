import type { Db } from '../db/schema.ts'
import { isSlug } from '../lib/slug.ts'
import { findForm, holdForms, setFormSlug } from './form-store.ts'

export type RenameOutcome = 'renamed' | 'not_found' | 'builtin' | 'taken' | 'no_slug'

/** Gives a form another slug, as a part of a transaction. Built-in forms keep theirs. `now` is UTC text. */
export async function giveFormSlug(
  db: Db,
  slug: string,
  newSlug: string,
  { now, updatedBy }: { now: string; updatedBy?: number },
): Promise<RenameOutcome> {
  await holdForms(db)
  const form = await findForm(db, slug)
  if (!form) return 'not_found'
  if (form.isBuiltin) return 'builtin'
  if (!isSlug(newSlug)) return 'no_slug'
  if (await findForm(db, newSlug)) return 'taken'
  await setFormSlug(db, form.id, newSlug, { now, ...(updatedBy !== undefined && { updatedBy }) })
  return 'renamed'
}
