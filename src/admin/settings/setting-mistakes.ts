import { describeDialable } from '../../lib/locale/phone-number.ts'
import { createMessages } from '../../lib/messages.ts'
import type { SettingIssue } from '../../site/settings/setting-issue.ts'
import { columnsOf, LISTS, type ListName } from './setting-lists.ts'

/** What to enter in a field, whatever is wrong with it. */
const FIELDS = {
  name: () => 'Enter the name of the business.',
  email: () => 'Enter an e-mail address such as office@example.com.',
  country: () => 'Choose a country from the list.',
  language: () => 'Enter a language code such as en, en-IE or ja.',
  time_zone: () => 'Choose a time zone from the list.',
  quality_threshold: () => 'Enter a whole number from 0 to 100.',
  'theme.radius': () => 'Enter a whole number from 0 to 32.',
}
const describeField = createMessages(FIELDS)

const describeIssue = createMessages({
  blank: () => 'Expected text.',
  undialable: ({ country }: { country: string }) => `Enter ${describeDialable(country)}.`,
  form_unknown: ({ slug }: { slug: string }) => `There is no form ${slug}.`,
  picture_unknown: ({ name }: { name: string }) => `There is no picture ${name}.`,
  wrong_form: ({ rule }: { rule: string }) => asSentence(rule),
  invalid: ({ rule }: { rule: string }) => asSentence(rule),
})

/** Where a row is wrong: `Link 2`, and its column. */
interface Place {
  row: string
  column: string | undefined
}

const describeRow = createMessages({
  undialable: ({ row, country }: Place & { country: string }) =>
    `${row}: enter ${describeDialable(country)}.`,
  wrong_form: ({ row, column, rule }: Place & { rule: string }) =>
    `${row}: ${asSentence(`${column}, ${rule}`)}`,
  incomplete: ({ row, column }: Place) => `${row}: fill in ${column ?? 'it'}, or empty the whole row.`,
})

/** The field of a form that an issue is about, and what is wrong in plain words. */
export function toMistake(issue: SettingIssue): { field: string; message: string } {
  const list = listOf(issue.path)
  if (list) return { field: list, message: rowMessage(list, issue) }
  const field = issue.path.join('.')
  return { field, message: isOwn(field) ? describeField({ code: field }) : describeIssue(issue) }
}

function isOwn(field: string): field is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, field)
}

function listOf(path: readonly PropertyKey[]): ListName | undefined {
  const names = Object.keys(LISTS) as ListName[]
  const text = path.join('.')
  return names.find((name) => text === name || text.startsWith(`${name}.`))
}

function rowMessage(list: ListName, issue: SettingIssue): string {
  const place = placeOf(list, issue.path)
  if (issue.code === 'undialable')
    return describeRow({ code: issue.code, params: { ...place, ...issue.params } })
  if (issue.code === 'wrong_form')
    return describeRow({ code: issue.code, params: { ...place, ...issue.params } })
  return describeRow({ code: 'incomplete', params: place })
}

function placeOf(list: ListName, path: readonly PropertyKey[]): Place {
  const row = Number(path.find((part) => typeof part === 'number') ?? 0) + 1
  const { noun } = LISTS[list]
  const key = columnsOf(list).find((name) => name === path.at(-1))
  const column = key && (LISTS[list].columns as Record<string, string>)[key]
  return { row: `${noun[0]?.toUpperCase()}${noun.slice(1)} ${row}`, column: column?.toLowerCase() }
}

function asSentence(rule: string): string {
  return `${rule[0]?.toUpperCase()}${rule.slice(1)}.`
}
