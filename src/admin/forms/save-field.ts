import type { APIContext } from 'astro'
import { editForm } from '../../forms/edit-form.ts'
import { fieldIndex, putField } from '../../forms/fields/edit-fields.ts'
import { fieldVersion, toFieldDraft } from '../../forms/fields/field-input.ts'
import type { Form } from '../../forms/form.ts'
import { formActivity } from '../../messages/admin/forms.ts'
import type { AdminProblem } from '../../messages/admin/problems.ts'
import { describeQuestionProblem, questionEditor } from '../../messages/admin/questions.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { finish } from '../kit/page-context.ts'
import { editingOf } from './form-context.ts'
import { mentionFormerKey } from './former-key.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url' | 'cookies' | 'request' | 'rewrite'>

/**
 * Saves a field (a new one without `replaced`) and redirects. Returns undefined, with messages in the form, if a
 * value is invalid.
 */
export async function saveField(
  context: Context,
  form: Form,
  typed: AdminForm<Record<string, string>>,
  replaced?: string,
): Promise<Response | undefined> {
  // The type was changed: this requests its settings and saves nothing yet.
  if (!typed.input || typed.input.step === 'type') return undefined
  const draft = toFieldDraft(typed.input)
  const { db } = context.locals.app
  const outcome = await editForm(db, form.slug, putField(draft, replaced), {
    ...editingOf(context),
    basedOn: { version: typed.basedOn, versionOf: (now) => fieldVersion(now, replaced) },
  })
  const index = fieldIndex(form, replaced)
  return answerChange(context, typed, outcome, {
    thing: questionEditor.thing,
    inputOf: (problem) => inputOf(problem, index),
    describe: describeQuestionProblem,
    saved: async () => {
      const isNew = replaced === undefined
      const { questionAdded, questionChanged } = formActivity
      const summary = (isNew ? questionAdded : questionChanged)(String(draft.label), form.name)
      const { label, name } = typed.values
      const text = isNew
        ? questionEditor.added(String(label))
        : questionEditor.saved(String(label)) +
          (await mentionFormerKey(db, form, { former: replaced, key: name }))
      return finish(
        context,
        { action: 'form.changed', id: form.id, summary },
        { to: `/admin/forms/${form.slug}`, text },
      )
    },
  })
}

// An invalid choice or file type is shown at the whole list; problems of another field at the top.
function inputOf({ path }: AdminProblem, index: number): string {
  if (path[0] !== 'fields' || path[1] !== index) return path[0] === 'settings' ? 'name' : ''
  const name = path.slice(2).join('.')
  return name.replace(/^(options|validation\.accept)\.\d+$/, '$1')
}
