import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { isSlug } from '../lib/slug.ts'
import type { Problem } from '../messages/files/rules/rule.ts'
import { problemOf } from '../messages/files/rules/schema-rule.ts'
import type { Form } from './form.ts'
import { type FormDefinition, formDefinitionSchema } from './form-definition.ts'
import { findForm, holdForms, saveForm, toFormDefinition } from './form-store.ts'

/** Who changes a form, and when. */
export interface Editing {
  /** The id of an administrator (§2.1 `updated_by`). */
  updatedBy: number
  now: Date
  /** Whether somebody else changed, after this person had begun, what is changed now. */
  isOutdated?: (form: Form) => boolean
}

export type EditOutcome =
  | { kind: 'saved'; form: Form }
  | { kind: 'invalid'; problems: Problem[] }
  | { kind: 'not_found' }
  | { kind: 'outdated'; form: Form }

export type CreateOutcome =
  | Exclude<EditOutcome, { kind: 'not_found' | 'outdated' }>
  | { kind: 'taken' | 'no_slug' }

/** A form as it may be typed, before anything is known about it. */
export type DraftDefinition = Record<keyof FormDefinition, unknown>

/** Makes a form. Its slug must be free. */
export function createForm(
  db: Kysely<Schema>,
  slug: string,
  definition: unknown,
  editing: Editing,
): Promise<CreateOutcome> {
  return db.transaction().execute((trx) => addForm(trx, slug, definition, editing))
}

/** The same as a part of a transaction. */
export async function addForm(
  db: Db,
  slug: string,
  definition: unknown,
  editing: Editing,
): Promise<CreateOutcome> {
  if (!isSlug(slug)) return { kind: 'no_slug' }
  await holdForms(db)
  if (await findForm(db, slug)) return { kind: 'taken' }
  return save(db, slug, definition, editing)
}

/**
 * Changes a form: `change` gets its definition and gives what it is to be, which is checked as a file would be. Other
 * fields than before are a new version, so that pages that are out there stay valid.
 */
export function editForm(
  db: Kysely<Schema>,
  slug: string,
  change: (definition: FormDefinition) => DraftDefinition,
  editing: Editing,
): Promise<EditOutcome> {
  return db.transaction().execute((trx) => changeForm(trx, slug, change, editing))
}

/** The same as a part of a transaction. Without `mayBeStored` the change is only checked. */
export async function changeForm(
  db: Db,
  slug: string,
  change: (definition: FormDefinition) => DraftDefinition,
  { mayBeStored = true, ...editing }: Editing & { mayBeStored?: boolean },
): Promise<EditOutcome> {
  await holdForms(db)
  const form = await findForm(db, slug)
  if (!form) return { kind: 'not_found' }
  if (editing.isOutdated?.(form)) return { kind: 'outdated', form }
  const definition = change(toFormDefinition(form))
  if (mayBeStored) return save(db, slug, definition, editing)
  return { kind: 'invalid', problems: problemsOf(formDefinitionSchema.safeParse(definition)) }
}

async function save(db: Db, slug: string, definition: unknown, { now, updatedBy }: Editing) {
  const parsed = formDefinitionSchema.safeParse(definition)
  if (!parsed.success) return { kind: 'invalid' as const, problems: problemsOf(parsed) }
  await saveForm(db, slug, parsed.data, { now: now.toISOString(), updatedBy })
  const form = await findForm(db, slug)
  if (!form) throw new Error(`The form ${slug} was saved and is not there`)
  return { kind: 'saved' as const, form }
}

function problemsOf({ error }: { error?: z.ZodError | undefined }): Problem[] {
  return (error?.issues ?? []).map(problemOf)
}
