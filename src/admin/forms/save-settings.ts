import type { APIContext } from 'astro'
import type { EditOutcome, FormProblem } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import { settingsVersionOf } from '../../forms/settings-input.ts'
import { saveFormSettings } from '../../site/settings/save-form-settings.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { editingOf, noteChange, SLUG_PROBLEMS, showProblems } from './form-context.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url'>

/** Saves what was typed in the settings; the form's slug then, or undefined when something is wrong with it. */
export async function saveSettings(
  context: Context,
  form: Form,
  typed: AdminForm<Record<string, string>>,
): Promise<string | undefined> {
  const texts = typed.input ?? {}
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
  showProblems(typed, withSentences(outcome), inputOf)
  if (outcome.kind !== 'saved') return undefined
  await noteChange(context, form, 'form.changed', `Changed the settings of the form ${outcome.form.name}`)
  return slug
}

function withSentences(outcome: EditOutcome): EditOutcome {
  if (outcome.kind !== 'invalid') return outcome
  const problems = outcome.problems.map(({ path, message }) => ({
    path,
    message: path[0] === 'slug' ? (SLUG_PROBLEMS[message] ?? message) : message,
  }))
  return { ...outcome, problems }
}

// Inside `anti_spam` a mistake may be told of the whole, which is one of several kinds of value.
function inputOf({ path }: FormProblem): string {
  const name = path.join('.')
  return name === 'settings.anti_spam' ? 'settings.anti_spam.max_links' : name
}
