import {
  describeField,
  describeRow,
  describeSetting,
  hasOwnText,
  type SettingIssue,
} from '../../messages/admin/settings.ts'
import { describeRule } from '../../messages/files/rules/rule.ts'
import { columnsOf, LIST_NAMES, LISTS, type ListName } from './setting-lists.ts'

/** The field of a form that an issue is about, and what is wrong in plain words. */
export function toMistake(issue: SettingIssue): { field: string; message: string } {
  const list = listOf(issue.path)
  if (list) return { field: list, message: rowMessage(list, issue) }
  const field = issue.path.join('.')
  return { field, message: hasOwnText(field) ? describeField({ code: field }) : describeSetting(issue) }
}

function listOf(path: readonly PropertyKey[]): ListName | undefined {
  const text = path.join('.')
  return LIST_NAMES.find((name) => text === name || text.startsWith(`${name}.`))
}

function rowMessage(list: ListName, issue: SettingIssue): string {
  const place = placeOf(list, issue.path)
  if (issue.code === 'undialable')
    return describeRow({ code: issue.code, params: { ...place, ...issue.params } })
  if (issue.code === 'page_path' || issue.code === 'https_address')
    return describeRow({ code: 'wrong_form', params: { ...place, expected: describeRule(issue) } })
  return describeRow({ code: 'incomplete', params: place })
}

function placeOf(list: ListName, path: readonly PropertyKey[]) {
  const row = Number(path.find((part) => typeof part === 'number') ?? 0) + 1
  const { noun } = LISTS[list]
  const key = columnsOf(list).find((name) => name === path.at(-1))
  const column = key && (LISTS[list].columns as Record<string, string>)[key]
  return { row: `${noun[0]?.toUpperCase()}${noun.slice(1)} ${row}`, column: column?.toLowerCase() }
}
