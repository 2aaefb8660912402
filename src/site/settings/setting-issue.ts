import type { z } from 'zod'
import { problemCode } from '../../lib/problem-code.ts'

/** What is wrong with a setting; `path` as in `content/site.yaml`. */
export type SettingIssue = { path: readonly PropertyKey[] } & (
  | { code: 'blank' }
  /** A phone number that nobody can dial in this country. */
  | { code: 'undialable'; params: { country: string } }
  | { code: 'form_unknown'; params: { slug: string } }
  | { code: 'picture_unknown'; params: { name: string } }
  /** A text that does not have the form which `rule` describes. */
  | { code: 'wrong_form'; params: { rule: string } }
  /** Another value than `rule` describes. */
  | { code: 'invalid'; params: { rule: string } }
)

/** A problem of the schema as an issue. */
export function toSettingIssue(issue: z.core.$ZodIssue): SettingIssue {
  const path = [...issue.path]
  const code = problemCode(issue)
  if (code === 'blank') return { path, code }
  return { path, code: code === 'invalid_format' ? 'wrong_form' : 'invalid', params: { rule: issue.message } }
}
