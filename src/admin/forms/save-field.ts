import type { APIContext } from 'astro'
import { editForm } from '../../forms/edit-form.ts'
import { fieldIndex, putField } from '../../forms/fields/edit-fields.ts'
import { fieldVersion, toFieldDraft } from '../../forms/fields/field-input.ts'
import type { Form } from '../../forms/form.ts'
import type { Problem } from '../../messages/files/rules/rule.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { editingOf, noteChange, showProblems } from './form-context.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url'>

/** Saves what was typed about a field, a new one without `replaced`; whether it was right. */
export async function saveField(
  context: Context,
  form: Form,
  typed: AdminForm<Record<string, string>>,
  replaced?: string,
): Promise<boolean> {
  // The type was chosen anew: its settings are asked for, nothing is saved yet.
  if (!typed.input || typed.input.step === 'type') return false
  const draft = toFieldDraft(typed.input)
  const { basedOn } = typed
  const outcome = await editForm(context.locals.app.db, form.slug, putField(draft, replaced), {
    ...editingOf(context),
    isOutdated: (now) => basedOn !== undefined && basedOn !== fieldVersion(now, replaced),
  })
  if (outcome.kind === 'outdated') typed.outdate('field', fieldVersion(outcome.form, replaced))
  const index = fieldIndex(form, replaced)
  showProblems(typed, outcome, (problem) => inputOf(problem, index))
  if (outcome.kind !== 'saved') return false
  const what = replaced === undefined ? 'Added' : 'Changed'
  await noteChange(
    context,
    form,
    'form.changed',
    `${what} the field ${String(draft.label)} of the form ${form.name}`,
  )
  return true
}

// A wrong choice or kind of file is told at the whole list; what concerns another field at the top.
function inputOf({ path }: Problem, index: number): string {
  if (path[0] !== 'fields' || path[1] !== index) return path[0] === 'settings' ? 'name' : ''
  const name = path.slice(2).join('.')
  return name.replace(/^(options|validation\.accept)\.\d+$/, '$1')
}
