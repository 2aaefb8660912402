import type { APIContext } from 'astro'
import type { CreateOutcome, EditOutcome } from '../../forms/edit-form.ts'
import type { Form } from '../../forms/form.ts'
import { findForm } from '../../forms/form-store.ts'
import { describeSlugProblem } from '../../messages/admin/forms.ts'
import { type Problem, ruleSentence } from '../../messages/files/rules/rule.ts'
import type { AdminForm } from '../kit/admin-form.ts'
import { appOf, getAdministrator } from '../kit/page-context.ts'

type Context = Pick<APIContext, 'locals' | 'params' | 'url'>

/** The form that the address names. */
export async function findFormOfPage(context: Context): Promise<Form | undefined> {
  return findForm(appOf(context).db, context.params.form ?? '')
}

/** Who changes a form, and when. */
export function editingOf(context: Context) {
  return { updatedBy: getAdministrator(context).id, now: new Date() }
}

/** Shows what is wrong at the inputs; `nameOf` gives the input of a place in the definition. */
export function showProblems(
  form: AdminForm<unknown>,
  outcome: EditOutcome,
  nameOf: (problem: Problem) => string,
): void {
  if (outcome.kind === 'not_found') form.fail('', 'The form is gone: somebody else deleted it.')
  if (outcome.kind !== 'invalid') return
  for (const problem of outcome.problems) form.fail(nameOf(problem), ruleSentence(problem))
}

/** As `showProblems`, for a form that was to be made. */
export function showSlugProblem(
  form: AdminForm<unknown>,
  outcome: CreateOutcome | { kind: 'not_found' },
  nameOf: (problem: Problem) => string,
): void {
  const { kind } = outcome
  if (kind === 'taken' || kind === 'no_slug') form.fail('slug', describeSlugProblem({ code: kind }))
  if (kind === 'invalid' || kind === 'not_found') showProblems(form, outcome, nameOf)
}
