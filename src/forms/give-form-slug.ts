import type { Db } from '../db/schema.ts'
import { isSlug } from '../lib/slug.ts'
import { holdContent } from '../versions/content-turn-store.ts'
import type { Saving } from '../versions/version.ts'
import type { Form } from './form.ts'
import { findForm, setFormSlug } from './form-store.ts'
import { recordForm } from './history/record-form.ts'

export type RenameOutcome = 'renamed' | 'not_found' | 'builtin' | 'taken' | 'no_slug'

/** Returns why a form can't have that slug, or undefined. Built-in forms keep theirs. */
export async function findSlugProblem(
  db: Db,
  form: Pick<Form, 'isBuiltin'>,
  newSlug: string,
): Promise<Exclude<RenameOutcome, 'renamed' | 'not_found'> | undefined> {
  if (form.isBuiltin) return 'builtin'
  if (!isSlug(newSlug)) return 'no_slug'
  return (await findForm(db, newSlug)) ? 'taken' : undefined
}

/** Gives a form another slug, inside a transaction. `now` is UTC text. */
export async function giveFormSlug(
  db: Db,
  slug: string,
  newSlug: string,
  { updatedBy, ...saving }: Saving & { updatedBy?: number },
): Promise<RenameOutcome> {
  await holdContent(db)
  const form = await findForm(db, slug)
  if (!form) return 'not_found'
  const problem = await findSlugProblem(db, form, newSlug)
  if (problem) return problem
  const editing = { now: saving.now, ...(updatedBy !== undefined && { updatedBy }) }
  await recordForm(db, slug, () => setFormSlug(db, form.id, newSlug, editing), saving)
  return 'renamed'
}
