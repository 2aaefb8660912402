import type { APIContext } from 'astro'
import type { Form } from '../../forms/form.ts'
import { settingsVersionOf } from '../../forms/settings-input.ts'
import { versionOf } from '../../lib/outcome.ts'
import { formActivity, formSettings } from '../../messages/admin/forms.ts'
import { saveFormSettings } from '../../site/settings/save-form-settings.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { answerChange } from '../kit/answer-change.ts'
import { finish } from '../kit/page-context.ts'
import { editingOf } from './form-context.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url' | 'cookies' | 'request' | 'rewrite'>

/** Saves the typed settings and redirects; undefined if something is invalid. */
export async function saveSettings(
  context: Context,
  form: Form,
  typed: AdminForm<Record<string, string>>,
): Promise<Response | undefined> {
  if (!typed.input) return undefined
  const texts = typed.input
  const slug = form.isBuiltin ? form.slug : (texts.slug ?? '').trim() || form.slug
  const outcome = await saveFormSettings(
    context.locals.app.db,
    form,
    { texts, slug },
    { ...editingOf(context), basedOn: { version: typed.basedOn, versionOf: settingsVersionOf } },
  )
  return answerChange(context, typed, outcome, {
    thing: formSettings.thing,
    saved: (saved) => {
      const { id, name } = saved
      const summary = formActivity.settingsChanged(name)
      const next = { to: `/admin/forms/${slug}/settings`, text: formSettings.saved }
      const action = isSameButEmail(form, saved) ? 'form.emails_changed' : 'form.changed'
      return finish(context, { action, id, summary }, next)
    },
  })
}

// No page shows who gets emails.
function isSameButEmail(before: Form, after: Form): boolean {
  const shown = ({ updatedAt: _, settings: { notification_email: __, ...settings }, ...form }: Form) =>
    versionOf({ ...form, settings })
  return shown(before) === shown(after)
}
