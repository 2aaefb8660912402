import { type AdminProblem, describeProblem } from '../../messages/admin/problems.ts'
import {
  describeField,
  describeRow,
  hasOwnText,
  settingsPage,
} from '../../messages/admin/settings/settings.ts'
import { adviceOf, isRuleCode, type Problem } from '../../messages/files/rules/rule.ts'
import { LISTS, type SettingList } from './settings-form.ts'

/** Rules that an empty cell breaks. */
const EMPTY: readonly string[] = ['filled_text', 'type']

/** Returns the form field of an issue, and its message in plain words. */
export function toMistake(issue: AdminProblem): { field: string; message: string } {
  const list = listOf(issue.path)
  if (list) return { field: list.name, message: rowMessage(list, issue) }
  // All pictures of a list share one input.
  const field = issue.path.filter((part) => typeof part !== 'number').join('.')
  return { field, message: hasOwnText(field) ? describeField({ code: field }) : describeProblem(issue) }
}

function listOf(path: readonly PropertyKey[]): SettingList | undefined {
  const text = path.join('.')
  return LISTS.find(({ name }) => text === name || text.startsWith(`${name}.`))
}

function rowMessage(list: SettingList, issue: AdminProblem): string {
  const place = placeOf(list, issue.path)
  if (issue.code === 'undialable')
    return describeRow({ code: issue.code, params: { ...place, ...issue.params } })
  if (isRule(issue) && !EMPTY.includes(issue.code))
    return describeRow({ code: 'wrong_form', params: { ...place, advice: adviceOf(issue) } })
  return describeRow({ code: 'incomplete', params: place })
}

function isRule(issue: AdminProblem): issue is Problem {
  return isRuleCode(issue.code)
}

function placeOf({ columns, texts: { row = settingsPage.row } }: SettingList, path: readonly PropertyKey[]) {
  const number = Number(path.find((part) => typeof part === 'number') ?? 0) + 1
  const label = columns.find(({ name }) => name === path.at(-1))?.texts.label
  // Lowercases the first letter: `text` for `Text`, but `URL` stays.
  const column = label?.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase())
  return { row: `${row[0]?.toUpperCase()}${row.slice(1)} ${number}`, column }
}
