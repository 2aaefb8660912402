import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { type Problem, ruleSentence } from '../files/rules/rule.ts'
import { FAULTS_OF_ACCOUNTS } from './accounts.ts'
import { FAULTS_OF_CONTENT_TYPES } from './content-types.ts'
import { FAULTS_OF_ENTRIES_IN_ADMIN } from './entry-problems.ts'
import { FAULTS_OF_FORMS } from './forms.ts'
import { FAULTS_OF_TRASH } from './history/trash.ts'
import { FAULTS_OF_PICTURES } from './pictures/pictures.ts'
import { PALETTE } from './settings/setting-texts.ts'
import { FAULTS_OF_SETTINGS } from './settings/settings.ts'
import { FAULTS_OF_TAXONOMIES } from './taxonomies.ts'
import { FAULTS_OF_TEXTS } from './texts.ts'

const FAULTS = {
  ...FAULTS_OF_ACCOUNTS,
  ...FAULTS_OF_CONTENT_TYPES,
  ...FAULTS_OF_ENTRIES_IN_ADMIN,
  ...FAULTS_OF_FORMS,
  ...FAULTS_OF_PICTURES,
  ...FAULTS_OF_SETTINGS,
  ...FAULTS_OF_TAXONOMIES,
  ...FAULTS_OF_TEXTS,
  ...FAULTS_OF_TRASH,
}

/** A broken rule of the admin alone. */
export type AdminFault = MessageOf<typeof FAULTS>

/** A problem with something that was entered in the admin, and at which input: a rule of files, or one of the admin. */
export type AdminProblem = Problem | ({ path: readonly PropertyKey[] } & AdminFault)

const describeFault = createMessages(FAULTS)

/** Returns the sentence of a problem. */
export function describeProblem(problem: AdminProblem): string {
  if (isFault(problem)) return describeFault(problem)
  return ruleSentence(problem.code === 'low_contrast' ? withLabels(problem) : problem)
}

// Files name colors by their keys.
function withLabels(problem: Extract<Problem, { code: 'low_contrast' }>): Problem {
  const { role, on } = problem.params
  return { ...problem, params: { ...problem.params, role: labelOf(role), on: labelOf(on) } }
}

function labelOf(role: string): string {
  return `“${(PALETTE as Readonly<Record<string, string>>)[role] ?? role}”`
}

function isFault(problem: AdminProblem): problem is Exclude<AdminProblem, Problem> {
  return Object.hasOwn(FAULTS, problem.code)
}
