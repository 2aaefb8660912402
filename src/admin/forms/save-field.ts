import type { APIContext } from 'astro'
import { editForm } from '../../forms/edit-form.ts'
import { fieldIndex, putField } from '../../forms/fields/edit-fields.ts'
import { fieldVersion, toFieldDraft } from '../../forms/fields/field-input.ts'
import type { Form } from '../../forms/form.ts'
import type { Problem } from '../../messages/files/rules/rule.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { finish } from '../kit/page-context.ts'
import { editingOf, showProblems } from './form-context.ts'
import { mentionFormerKey } from './former-key.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url' | 'cookies'>

/** Saves what was typed about a field, a new one without `replaced`, and leads on; undefined when something is wrong. */
export async function saveField(
  context: Context,
  form: Form,
  typed: AdminForm<Record<string, string>>,
  replaced?: string,
): Promise<Response | undefined> {
  // The type was chosen anew: its settings are asked for, nothing is saved yet.
  if (!typed.input || typed.input.step === 'type') return undefined
  const draft = toFieldDraft(typed.input)
  const { db } = context.locals.app
  const { basedOn } = typed
  const outcome = await editForm(db, form.slug, putField(draft, replaced), {
    ...editingOf(context),
    isOutdated: (now) => basedOn !== undefined && basedOn !== fieldVersion(now, replaced),
  })
  if (outcome.kind === 'outdated') typed.outdate('field', fieldVersion(outcome.form, replaced))
  const index = fieldIndex(form, replaced)
  showProblems(typed, outcome, (problem) => inputOf(problem, index))
  if (outcome.kind !== 'saved') return undefined
  const what = replaced === undefined ? 'Added' : 'Changed'
  const summary = `${what} the field ${String(draft.label)} of the form ${form.name}`
  const { label, name } = typed.values
  const text =
    replaced === undefined
      ? `"${label}" is added.`
      : `"${label}" is saved.${await mentionFormerKey(db, form, { former: replaced, key: name })}`
  return finish(
    context,
    { action: 'form.changed', id: form.id, summary },
    { to: `/admin/forms/${form.slug}`, text },
  )
}

// A wrong choice or kind of file is told at the whole list; what concerns another field at the top.
function inputOf({ path }: Problem, index: number): string {
  if (path[0] !== 'fields' || path[1] !== index) return path[0] === 'settings' ? 'name' : ''
  const name = path.slice(2).join('.')
  return name.replace(/^(options|validation\.accept)\.\d+$/, '$1')
}
