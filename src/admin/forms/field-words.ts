import type { FieldType } from '../../forms/form.ts'

/** What the twelve types are called where a person chooses one. */
export const FIELD_WORDS: Readonly<Record<FieldType, { label: string; use: string }>> = {
  text: { label: 'Short text', use: 'One line, such as a name' },
  textarea: { label: 'Long text', use: 'Several lines, such as a message' },
  email: { label: 'E-mail address', use: 'Checked to be one' },
  phone: { label: 'Phone number', use: 'Of any country' },
  url: { label: 'Web address', use: 'Starts with https:// or http://' },
  number: { label: 'Number', use: 'To count with, of at most 15 digits' },
  date: { label: 'Date', use: 'A day of the calendar' },
  select: { label: 'Choice from a list', use: 'One of many, in a drop-down' },
  radio: { label: 'Choice of one', use: 'One of a few, all visible' },
  checkbox: { label: 'Tick boxes', use: 'One box, or any of several' },
  file: { label: 'File', use: 'A picture or document' },
  hidden: { label: 'Hidden value', use: 'Sent along unseen' },
}

/** For a select, in an order that people look in. */
export const FIELD_CHOICES = Object.entries(FIELD_WORDS).map(([value, { label, use }]) => ({
  value,
  label: `${label}: ${use.charAt(0).toLowerCase()}${use.slice(1)}`,
}))
