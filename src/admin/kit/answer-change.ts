import type { APIContext } from 'astro'
import type { Outcome } from '../../lib/outcome.ts'
import { kitTexts } from '../../messages/admin/kit.ts'
import { type AdminProblem, describeProblem } from '../../messages/admin/problems.ts'
import type { CookieContext } from '../access/admin-cookie.ts'
import type { AdminForm } from './admin-form.ts'
import { notFound, refuse } from './page-context.ts'

type Context = CookieContext & Pick<APIContext, 'rewrite' | 'request'>

interface Ending<Value> {
  /** Subject of the change, for a user whose page is outdated: `webhook`. */
  thing?: string
  /** Completes a saved change, with `finish`. */
  saved(value: Value): Response | Promise<Response>
  /** The input that shows a problem, if not the one at its path. */
  inputOf?(problem: AdminProblem): string
  /** The message for a problem, if it depends on the form. */
  describe?(problem: AdminProblem): string
}

/**
 * Returns the response to a change: that of `saved` if it was saved. Adds the problems of an invalid one to the form
 * and returns undefined; for a button without a form, redirects to `back` with them.
 */
export function answerChange<Value>(
  context: Context,
  form: { back: string },
  outcome: Outcome<Value, AdminProblem, string>,
  ending: Ending<Value>,
): Promise<Response>
export function answerChange<Value>(
  context: Context,
  form: Pick<AdminForm<unknown>, 'fail' | 'outdate'>,
  outcome: Outcome<Value, AdminProblem, string>,
  ending: Ending<Value>,
): Promise<Response | undefined>
export async function answerChange<Value>(
  context: Context,
  form: Pick<AdminForm<unknown>, 'fail' | 'outdate'> | { back: string },
  outcome: Outcome<Value, AdminProblem, string>,
  { thing = '', saved, inputOf = pathOf, describe = describeProblem }: Ending<Value>,
): Promise<Response | undefined> {
  if (outcome.kind === 'saved') return saved(outcome.value)
  if (outcome.kind === 'refused' || outcome.kind === 'not_found') return notFound(context)
  if ('back' in form) {
    const reason =
      outcome.kind === 'invalid' ? outcome.problems.map(describe).join(' ') : kitTexts.outdatedPage
    return refuse(context, { to: form.back, text: kitTexts.nothingChanged(reason) })
  }
  if (outcome.kind === 'outdated') form.outdate(thing, outcome.version)
  else for (const problem of outcome.problems) form.fail(inputOf(problem), describe(problem))
  return undefined
}

function pathOf({ path }: AdminProblem): string {
  return path.join('.')
}
