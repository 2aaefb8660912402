import type { SchemaField } from '../../entries/types/schema-field.ts'

/** What people call the kinds of fields. */
export const KIND_WORDS: Record<SchemaField['type'], string> = {
  text: 'One line of text',
  textarea: 'Several lines',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  url: 'Web address',
  list: 'List',
}
