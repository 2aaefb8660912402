import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { isSlug } from '../lib/slug.ts'
import { findForm, holdForms, setFormSlug } from './form-store.ts'

export type RenameOutcome = 'renamed' | 'not_found' | 'builtin' | 'taken' | 'no_slug'

/** Gives a form another slug, with which its addresses change. Built-in forms keep theirs. `now` is UTC text. */
export function renameForm(
  db: Kysely<Schema>,
  slug: string,
  newSlug: string,
  { now, updatedBy }: { now: string; updatedBy?: number },
): Promise<RenameOutcome> {
  return db.transaction().execute(async (trx) => {
    await holdForms(trx)
    const form = await findForm(trx, slug)
    if (!form) return 'not_found'
    if (form.isBuiltin) return 'builtin'
    if (!isSlug(newSlug)) return 'no_slug'
    if (await findForm(trx, newSlug)) return 'taken'
    await setFormSlug(trx, form.id, newSlug, { now, ...(updatedBy !== undefined && { updatedBy }) })
    return 'renamed'
  })
}
