import type { APIContext } from 'astro'
import type { Form } from '../../forms/form.ts'
import { settingsVersionOf } from '../../forms/settings-input.ts'
import { describeSlugProblem } from '../../messages/admin/forms.ts'
import { describeTextProblem } from '../../messages/admin/texts.ts'
import type { Problem } from '../../messages/files/rules/rule.ts'
import { saveFormSettings } from '../../site/settings/save-form-settings.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { finish } from '../kit/page-context.ts'
import { editingOf, showProblems } from './form-context.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url' | 'cookies'>

/** Saves what was typed in the settings and leads on; undefined when something is wrong with it. */
export async function saveSettings(
  context: Context,
  form: Form,
  typed: AdminForm<Record<string, string>>,
): Promise<Response | undefined> {
  if (!typed.input) return undefined
  const texts = typed.input
  const { basedOn } = typed
  const slug = form.isBuiltin ? form.slug : (texts.slug ?? '').trim() || form.slug
  const outcome = await saveFormSettings(
    context.locals.app.db,
    form,
    { texts, slug },
    {
      ...editingOf(context),
      isOutdated: (now) => basedOn !== undefined && basedOn !== settingsVersionOf(now),
    },
  )
  if (outcome.kind === 'outdated') typed.outdate('form', settingsVersionOf(outcome.form))
  showProblems(typed, outcome, inputOf)
  if (outcome.kind === 'invalid') {
    if (outcome.slugProblem) typed.fail('slug', describeSlugProblem(outcome.slugProblem))
    for (const one of outcome.textProblems) typed.fail('settings.success_body', describeTextProblem(one))
  }
  if (outcome.kind !== 'saved') return undefined
  const summary = `Changed the settings of the form ${outcome.form.name}`
  const next = { to: `/admin/forms/${slug}/settings`, text: 'The settings are saved.' }
  return finish(context, { action: 'form.changed', id: form.id, summary }, next)
}

// Inside `anti_spam` a mistake may be told of the whole, which is one of several kinds of value.
function inputOf({ path }: Problem): string {
  const name = path.join('.')
  return name === 'settings.anti_spam' ? 'settings.anti_spam.max_links' : name
}
