import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { checkText } from '../../entries/editing/check-text.ts'
import { changeForm, type Editing, type FormOutcome } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import { holdForms } from '../../forms/form-store.ts'
import { findSlugProblem } from '../../forms/give-form-slug.ts'
import { type SettingsTexts, withSettings } from '../../forms/settings-input.ts'
import { renderApart } from '../../lib/markdown/render-apart.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { renameForm } from '../forms/rename-form.ts'

/** Saves the settings of a form together with its slug: all of it, or nothing and every problem. */
export async function saveFormSettings(
  db: Kysely<Schema>,
  form: Pick<Form, 'slug' | 'isBuiltin'>,
  { texts, slug }: { texts: SettingsTexts; slug: string },
  editing: Editing,
): Promise<FormOutcome> {
  const successBody = await renderApart(String(texts['settings.success_body'] ?? ''))
  return db.transaction().execute(async (trx) => {
    await holdForms(trx)
    const code = slug === form.slug ? undefined : await findSlugProblem(trx, form, slug)
    const faults = await checkText(trx, successBody)
    const problems: AdminProblem[] = faults.map((fault) => ({ path: ['settings', 'success_body'], ...fault }))
    if (code) problems.push({ path: ['slug'], code })
    const mayBeStored = problems.length === 0
    const outcome = await changeForm(trx, form.slug, withSettings(texts), { ...editing, mayBeStored })
    if (outcome.kind === 'invalid') return { kind: 'invalid', problems: [...outcome.problems, ...problems] }
    if (outcome.kind !== 'saved' || slug === form.slug) return outcome
    const { updatedBy, now } = editing
    const renamed = await renameForm(trx, form.slug, slug, { updatedBy, now: now.toISOString() })
    if (renamed !== 'renamed')
      throw new Error(`The form ${form.slug} cannot have the slug ${slug}: ${renamed}`)
    return outcome
  })
}
