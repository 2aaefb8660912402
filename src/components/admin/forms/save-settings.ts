import type { APIContext } from 'astro'
import { checkTextPictures } from '../../../entries/check-text-pictures.ts'
import { editForm, type FormProblem } from '../../../forms/edit-form.ts'
import type { Form } from '../../../forms/form.ts'
import { settingsVersionOf, withSettings } from '../../../forms/settings-input.ts'
import { renameForm } from '../../../site/rename-form.ts'
import type { AdminForm } from '../admin-form.ts'
import { editingOf, noteChange, SLUG_PROBLEMS, showProblems } from './form-context.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url'>

/** Saves what was typed in the settings; the form's slug then, or undefined when something is wrong with it. */
export async function saveSettings(
  context: Context,
  form: Form,
  typed: AdminForm<Record<string, string>>,
): Promise<string | undefined> {
  const { db } = context.locals.app
  const editing = editingOf(context)
  const texts = typed.input ?? {}
  const { basedOn } = typed
  const problems = await checkTextPictures(db, texts['settings.success_body'] ?? '')
  if (problems.length > 0) {
    typed.fail('settings.success_body', problems.join(' '))
    return undefined
  }
  const outcome = await editForm(db, form.slug, withSettings(texts), {
    ...editing,
    isOutdated: (now) => basedOn !== undefined && basedOn !== settingsVersionOf(now),
  })
  if (outcome.kind === 'outdated') typed.outdate('form', settingsVersionOf(outcome.form))
  showProblems(typed, outcome, inputOf)
  if (outcome.kind !== 'saved') return undefined
  const slug = form.isBuiltin ? form.slug : (texts.slug ?? '').trim() || form.slug
  if (slug !== form.slug) {
    const renamed = await renameForm(db, form.slug, slug, { ...editing, now: editing.now.toISOString() })
    if (renamed !== 'renamed') {
      typed.basedOn = settingsVersionOf(outcome.form)
      typed.fail('slug', SLUG_PROBLEMS[renamed] ?? 'The address stays as it is.')
      return undefined
    }
  }
  await noteChange(context, form, 'form.changed', `Changed the settings of the form ${outcome.form.name}`)
  return slug
}

// Inside `anti_spam` a mistake may be told of the whole, which is one of several kinds of value.
function inputOf({ path }: FormProblem): string {
  const name = path.join('.')
  return name === 'settings.anti_spam' ? 'settings.anti_spam.max_links' : name
}
