import type { FormValue } from '../kit/admin-form.ts'

interface SettingList {
  /** Labels by key. */
  columns: Readonly<Record<string, string>>
  /** Columns whose text is long. */
  long: readonly string[]
  /** What a row is called. */
  noun: string
}

/** Lists of the settings and what stands in their rows. */
export const LISTS = {
  phones: { columns: { label: 'Label', number: 'Number' }, long: [], noun: 'number' },
  opening_hours: { columns: { days: 'Days', hours: 'Hours' }, long: [], noun: 'line' },
  socials: { columns: { label: 'Name', url: 'Address' }, long: [], noun: 'link' },
  navigation: { columns: { label: 'Text', path: 'Address' }, long: [], noun: 'link' },
  'home.points': { columns: { title: 'Title', text: 'Text' }, long: ['text'], noun: 'reason' },
  'home.steps': { columns: { title: 'Title', text: 'Text' }, long: ['text'], noun: 'step' },
  'home.faq': { columns: { question: 'Question', answer: 'Answer' }, long: ['answer'], noun: 'question' },
} as const satisfies Record<string, SettingList>

export type ListName = keyof typeof LISTS
export const LIST_NAMES = Object.keys(LISTS) as ListName[]

export function columnsOf(list: ListName): string[] {
  return Object.keys(LISTS[list].columns)
}

/** The rows of a list as they were typed, empty ones too. */
export function typedRows(
  values: Readonly<Record<string, FormValue>>,
  list: ListName,
): Record<string, string>[] {
  const columns = columnsOf(list).map((column) => [column, listOf(values[`${list}.${column}`])] as const)
  const count = Math.max(0, ...columns.map(([, texts]) => texts.length))
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(([column, texts]) => [column, texts[row]?.trim() ?? ''])),
  )
}

function listOf(value: FormValue | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? [])
}
