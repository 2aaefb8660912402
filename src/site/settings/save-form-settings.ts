import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { checkText } from '../../entries/editing/check-text.ts'
import { changeForm, type DraftDefinition, type Editing, type FormOutcome } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import type { FormDefinition } from '../../forms/form-definition.ts'
import { findSlugProblem } from '../../forms/give-form-slug.ts'
import { type FormSnapshot, formSubject } from '../../forms/history/record-form.ts'
import { type SettingsTexts, withSettings } from '../../forms/settings-input.ts'
import { renderApart } from '../../lib/markdown/render-apart.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { changeContent } from '../../versions/content-turn-store.ts'
import { findVersion } from '../../versions/version-store.ts'
import { renameForm } from '../forms/rename-form.ts'

type StoredForm = Pick<Form, 'id' | 'slug' | 'isBuiltin'>

/** Saves a form's settings and slug together: everything, or nothing and every problem. */
export function saveFormSettings(
  db: Kysely<Schema>,
  form: StoredForm,
  { texts, slug }: { texts: SettingsTexts; slug: string },
  editing: Editing,
): Promise<FormOutcome> {
  const successBody = texts['settings.success_body']
  return saveWhole(db, form, { slug, successBody, change: withSettings(texts) }, editing)
}

/**
 * Restores a version of a form, including its slug, as a new version. Refused if it would be invalid now: its slug
 * is taken, or a picture was deleted.
 */
export async function restoreForm(
  db: Kysely<Schema>,
  form: StoredForm,
  versionId: number,
  editing: Editing,
): Promise<FormOutcome> {
  const found = await findVersion(db, formSubject(form.id), versionId)
  if (!found) return { kind: 'not_found' }
  const { slug, ...definition } = found.content as FormSnapshot
  const successBody = definition.settings.success_body
  return saveWhole(db, form, { slug, successBody, change: () => definition }, editing)
}

interface WholeForm {
  slug: string
  /** Markdown shown after the form is sent. */
  successBody: unknown
  change: (definition: FormDefinition) => DraftDefinition
}

async function saveWhole(
  db: Kysely<Schema>,
  form: StoredForm,
  { slug, successBody: text, change }: WholeForm,
  editing: Editing,
): Promise<FormOutcome> {
  const successBody = await renderApart(String(text ?? ''))
  return changeContent(db, async (trx) => {
    const code = slug === form.slug ? undefined : await findSlugProblem(trx, form, slug)
    const faults = await checkText(trx, successBody)
    const problems: AdminProblem[] = faults.map((fault) => ({ path: ['settings', 'success_body'], ...fault }))
    if (code) problems.push({ path: ['slug'], code })
    const mayBeStored = problems.length === 0
    const outcome = await changeForm(trx, form.slug, change, { ...editing, mayBeStored })
    if (outcome.kind === 'invalid') return { kind: 'invalid', problems: [...outcome.problems, ...problems] }
    if (outcome.kind !== 'saved' || slug === form.slug) return outcome
    const { updatedBy, by, now } = editing
    const renamed = await renameForm(trx, form.slug, slug, { updatedBy, by, now: now.toISOString() })
    if (renamed !== 'renamed')
      throw new Error(`The form ${form.slug} cannot have the slug ${slug}: ${renamed}`)
    return { kind: 'saved', value: { ...outcome.value, slug } }
  })
}
