import type { z } from 'zod'
import { describeRule } from '../../messages/files/rules/rule.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import type { ContentType } from './content-type-store.ts'
import { rowSchema } from './entry-schema.ts'
import { isEmpty } from './field-values.ts'
import type { SchemaField } from './schema-field.ts'

/** Messages by the name of the input they belong to: `title`, `steps.0.text`. */
export type FieldErrors = Record<string, string[]>

const MOMENT_EXAMPLE = 'Write a date and a time, such as 2026-11-20T08:00.'
const TOO_EARLY = 'The end has to be later than the beginning.'
const EXPECTED: Record<SchemaField['type'], string> = {
  text: 'Write some text.',
  textarea: 'Write some text.',
  number: 'Write a number, such as 12 or 2.5.',
  boolean: 'Choose yes or no.',
  date: 'Write a date as year, month and day, such as 2026-11-20.',
  url: 'Write a whole address that starts with https:// or http://.',
  list: 'Write at least one.',
}

/** What a person entered, as the entry's row would have it. */
interface EnteredRow extends Record<string, unknown> {
  title: string
  publish_at: string | null
  unpublish_at: string | null
  redirect_from: readonly string[]
}

/** Checks an entry by the rules of content files. Returns messages for the editor, by field. */
export function checkRow(type: ContentType, row: EnteredRow): FieldErrors {
  const errors: FieldErrors = {}
  for (const issue of rowSchema(type).safeParse(row).error?.issues ?? []) {
    const [key] = issue.path
    const name = key === 'redirect_from' ? key : issue.path.join('.')
    const message = [describeIssue(type, row, issue)]
    // An invalid date cannot be compared.
    errors[name] = key === 'unpublish_at' ? (errors[name] ?? message) : message
  }
  return errors
}

function describeIssue(type: ContentType, row: EnteredRow, issue: z.core.$ZodIssue): string {
  const problem = problemOf(issue)
  const { path } = problem
  switch (path[0]) {
    case 'title':
      return 'A title is needed.'
    case 'redirect_from':
      return `"${valueAt(row, path)}" cannot lead here, ${describeRule(problem)}.`
    case 'publish_at':
    case 'unpublish_at':
      return problem.code === 'moment_after_publish' ? TOO_EARLY : MOMENT_EXAMPLE
    default:
      return messageFor(fieldAt(type.fields, path), valueAt(row, path))
  }
}

function messageFor(field: SchemaField | undefined, value: unknown): string {
  if (!field) return 'This cannot be used here.'
  return isEmpty(value) ? `${field.label} is needed. ${EXPECTED[field.type]}` : EXPECTED[field.type]
}

function fieldAt(fields: readonly SchemaField[], path: readonly PropertyKey[]): SchemaField | undefined {
  const [key, , ...rest] = path
  const field = fields.find((one) => one.key === key)
  return rest.length > 0 ? fieldAt(field?.fields ?? [], rest) : field
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)
}
