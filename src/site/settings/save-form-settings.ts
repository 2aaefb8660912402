import type { Kysely } from 'kysely'
import type { Schema } from '../../db/schema.ts'
import { checkText } from '../../entries/editing/check-text.ts'
import { changeForm, type Editing, type EditOutcome } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import { holdForms } from '../../forms/form-store.ts'
import { findSlugProblem } from '../../forms/give-form-slug.ts'
import { type SettingsTexts, withSettings } from '../../forms/settings-input.ts'
import { renderApart } from '../../lib/markdown/render-apart.ts'
import { changeFormSlug } from '../forms/rename-form.ts'

/**
 * Saves the settings of a form together with its slug: all of it, or nothing and every problem. A problem with the slug
 * is told at `slug`, as `taken` or `no_slug`.
 */
export async function saveFormSettings(
  db: Kysely<Schema>,
  form: Pick<Form, 'slug' | 'isBuiltin'>,
  { texts, slug }: { texts: SettingsTexts; slug: string },
  editing: Editing,
): Promise<EditOutcome> {
  const successBody = await renderApart(String(texts['settings.success_body'] ?? ''))
  return db.transaction().execute(async (trx) => {
    await holdForms(trx)
    const slugProblem = slug === form.slug ? undefined : await findSlugProblem(trx, form, slug)
    const textProblems = await checkText(trx, successBody)
    const otherProblems = [
      ...(slugProblem ? [{ path: ['slug'], message: slugProblem }] : []),
      ...textProblems.map((message) => ({ path: ['settings', 'success_body'], message })),
    ]
    const outcome = await changeForm(trx, form.slug, withSettings(texts), { ...editing, otherProblems })
    if (outcome.kind !== 'saved' || slug === form.slug) return outcome
    const { updatedBy, now } = editing
    const renamed = await changeFormSlug(trx, form.slug, slug, { updatedBy, now: now.toISOString() })
    if (renamed !== 'renamed')
      throw new Error(`The form ${form.slug} cannot have the slug ${slug}: ${renamed}`)
    return outcome
  })
}
