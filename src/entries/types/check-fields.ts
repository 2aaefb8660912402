import { z } from 'zod'
import { fieldShape } from './field-values.ts'
import type { SchemaField } from './schema-field.ts'

/** Messages by the name of the input they belong to: `title`, `steps.0.text`. */
export type FieldErrors = Record<string, string[]>

const EXPECTED: Record<SchemaField['type'], string> = {
  text: 'Write some text.',
  textarea: 'Write some text.',
  number: 'Write a number, such as 12 or 2.5.',
  boolean: 'Choose yes or no.',
  date: 'Write a date as year, month and day, such as 2026-11-20.',
  url: 'Write a whole address that starts with https:// or http://.',
  list: 'Write at least one.',
}

/** What is wrong with the values of a type's fields, as a person is told it. */
export function checkFields(
  fields: readonly SchemaField[],
  values: Readonly<Record<string, unknown>>,
): FieldErrors {
  const result = z.object(fieldShape(fields)).safeParse(values)
  const errors: FieldErrors = {}
  for (const { path } of result.error?.issues ?? []) {
    const field = fieldAt(fields, path)
    errors[path.join('.')] = [messageFor(field, valueAt(values, path))]
  }
  return errors
}

function messageFor(field: SchemaField | undefined, value: unknown): string {
  if (!field) return 'This cannot be used here.'
  return isEmpty(value) ? `${field.label} is needed. ${EXPECTED[field.type]}` : EXPECTED[field.type]
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function fieldAt(fields: readonly SchemaField[], path: readonly PropertyKey[]): SchemaField | undefined {
  const [key, , ...rest] = path
  const field = fields.find((one) => one.key === key)
  return rest.length > 0 ? fieldAt(field?.fields ?? [], rest) : field
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)
}
