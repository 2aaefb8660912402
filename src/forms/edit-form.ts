import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { findOutdated, type Outcome } from '../lib/outcome.ts'
import { isSlug } from '../lib/slug.ts'
import type { AdminProblem } from '../messages/admin/problems.ts'
import { problemOf } from '../messages/files/rules/schema-rule.ts'
import { changeContent, holdContent } from '../versions/content-turn-store.ts'
import type { Saver } from '../versions/version.ts'
import { findDefaultProblems } from './fields/default-answer.ts'
import type { Form } from './form.ts'
import { type FormDefinition, formDefinitionSchema } from './form-definition.ts'
import { findForm, saveForm, setFormStatus, toFormDefinition } from './form-store.ts'
import { recordForm } from './history/record-form.ts'

/** The user who changes a form, and the time. */
export interface Editing {
  /** The administrator's ID (§2.1 `updated_by`). */
  updatedBy: number
  /** The same person, for the form's versions. */
  by?: Saver | undefined
  now: Date
  /** The version this person saw, and a function that computes a form's version. */
  basedOn?: { version: string | undefined; versionOf(form: Form): string }
}

export type FormOutcome = Outcome<Form, AdminProblem>

/** A form as typed, before any check. */
export type DraftDefinition = Record<keyof FormDefinition, unknown>

/** Creates a form. Its slug must be free. */
export function createForm(
  db: Kysely<Schema>,
  slug: string,
  definition: unknown,
  editing: Editing,
): Promise<FormOutcome> {
  return changeContent(db, (trx) => addForm(trx, slug, definition, editing))
}

/** Does the same inside a transaction. */
export async function addForm(
  db: Db,
  slug: string,
  definition: unknown,
  editing: Editing,
): Promise<FormOutcome> {
  if (!isSlug(slug)) return refuseSlug('no_slug')
  await holdContent(db)
  if (await findForm(db, slug)) return refuseSlug('taken')
  return save(db, slug, definition, editing)
}

/**
 * Changes a form. `change` takes the current definition and returns the new one, which is checked like a form
 * file; default answers of unchanged fields stay. Changed fields make a new version, so that pages already published
 * keep working.
 */
export function editForm(
  db: Kysely<Schema>,
  slug: string,
  change: (definition: FormDefinition) => DraftDefinition,
  editing: Editing,
): Promise<FormOutcome> {
  return changeContent(db, (trx) => changeForm(trx, slug, change, { ...editing, checksDefaults: true }))
}

interface Checking {
  /** Default: true. Otherwise the change is only checked. */
  mayBeStored?: boolean
  /** Refuses new default answers that visitors couldn't send. */
  checksDefaults?: boolean
}

/** Does the same inside a transaction. An earlier version may be stored again, whatever its default answers. */
export async function changeForm(
  db: Db,
  slug: string,
  change: (definition: FormDefinition) => DraftDefinition,
  { mayBeStored = true, checksDefaults = false, ...editing }: Editing & Checking,
): Promise<FormOutcome> {
  await holdContent(db)
  const form = await findForm(db, slug)
  if (!form) return { kind: 'not_found' }
  const { basedOn } = editing
  const outdated = basedOn && findOutdated(basedOn.versionOf(form), basedOn.version)
  if (outdated) return outdated
  const stored = toFormDefinition(form)
  const definition = change(stored)
  const parsed = formDefinitionSchema.safeParse(definition)
  const problems = problemsOf(parsed)
  if (checksDefaults && parsed.data) problems.push(...findDefaultProblems(parsed.data.fields, stored.fields))
  if (!mayBeStored || problems.length > 0) return { kind: 'invalid', problems }
  return save(db, slug, definition, editing)
}

/** Sets a form's status; any transition is allowed (§3). Returns false if there is no such form. */
export function changeFormStatus(
  db: Kysely<Schema>,
  slug: string,
  status: Form['status'],
  { now, updatedBy, by }: Editing,
): Promise<boolean> {
  const clock = { now: now.toISOString() }
  return changeContent(db, async (trx) => {
    const form = await findForm(trx, slug)
    if (!form) return false
    const change = () => setFormStatus(trx, form.id, status, { ...clock, updatedBy })
    await recordForm(trx, slug, change, { ...clock, by })
    return true
  })
}

function refuseSlug(code: 'no_slug' | 'taken'): FormOutcome {
  return { kind: 'invalid', problems: [{ path: ['slug'], code }] }
}

async function save(
  db: Db,
  slug: string,
  definition: unknown,
  { now, updatedBy, by }: Editing,
): Promise<FormOutcome> {
  const parsed = formDefinitionSchema.safeParse(definition)
  if (!parsed.success) return { kind: 'invalid', problems: problemsOf(parsed) }
  const clock = { now: now.toISOString() }
  const change = () => saveForm(db, slug, parsed.data, { ...clock, updatedBy })
  const form = await recordForm(db, slug, change, { ...clock, by })
  if (!form) throw new Error(`The form ${slug} was saved and is not there`)
  return { kind: 'saved', value: form }
}

function problemsOf({ error }: { error?: z.ZodError | undefined }): AdminProblem[] {
  return (error?.issues ?? []).map(problemOf)
}
