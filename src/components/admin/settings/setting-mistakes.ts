import { EXPECTED_TEXT } from '../../../lib/filled-text.ts'
import type { SettingIssue } from '../../../site/change-site-settings.ts'
import { columnsOf, LISTS, type ListName } from './setting-lists.ts'

const MESSAGES: Record<string, string> = {
  name: 'Enter the name of the business.',
  email: 'Enter an e-mail address such as office@example.com.',
  country: 'Choose a country from the list.',
  language: 'Enter a language code such as en, en-IE or ja.',
  time_zone: 'Choose a time zone from the list.',
  quality_threshold: 'Enter a whole number from 0 to 100.',
  'theme.radius': 'Enter a whole number from 0 to 32.',
}

/** The field of a form that an issue is about, and what is wrong in plain words. */
export function toMistake({ path, message }: SettingIssue): { field: string; message: string } {
  const list = listOf(path)
  if (list) return { field: list, message: rowMessage(list, path, message) }
  const field = path.join('.')
  return { field, message: MESSAGES[field] ?? asSentence(message) }
}

function listOf(path: readonly PropertyKey[]): ListName | undefined {
  const names = Object.keys(LISTS) as ListName[]
  const text = path.join('.')
  return names.find((name) => text === name || text.startsWith(`${name}.`))
}

function rowMessage(list: ListName, path: readonly PropertyKey[], message: string): string {
  const row = Number(path.find((part) => typeof part === 'number') ?? 0) + 1
  const where = `${LISTS[list].noun[0]?.toUpperCase()}${LISTS[list].noun.slice(1)} ${row}`
  const column = columnsOf(list).find((name) => name === path.at(-1))
  const name = column && (LISTS[list].columns as Record<string, string>)[column]
  if (message.startsWith('expected') && message !== EXPECTED_TEXT)
    return `${where}: ${asSentence(`${name?.toLowerCase()}, ${message}`)}`
  if (message.startsWith('Enter ')) return `${where}: ${message[0]?.toLowerCase()}${message.slice(1)}`
  return `${where}: fill in ${name?.toLowerCase() ?? 'it'}, or empty the whole row.`
}

function asSentence(message: string): string {
  const text = message.replace(/^expected /, 'Expected ')
  return `${text[0]?.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}
