import type { z } from 'zod'
import type { AdminFault, AdminProblem } from '../../messages/admin/problems.ts'
import type { Rule } from '../../messages/files/rules/rule.ts'
import { problemOf } from '../../messages/files/rules/schema-rule.ts'
import type { ContentType } from './content-type-store.ts'
import { rowSchema } from './entry-schema.ts'
import { isEmpty } from './field-values.ts'
import type { SchemaField } from './schema-field.ts'

/** Entered values in the form of an entry's row. */
interface EnteredRow extends Record<string, unknown> {
  title: string
  publish_at: string | null
  unpublish_at: string | null
  redirect_from: readonly string[]
}

/** Checks an entry by the rules for content files. */
export function checkRow(type: ContentType, row: EnteredRow): AdminProblem[] {
  const problems = (rowSchema(type).safeParse(row).error?.issues ?? []).map((issue) =>
    toProblem(type, row, issue),
  )
  // An invalid date can't be compared.
  const isInvalid = problems.some(({ code, path }) => code === 'time_invalid' && path[0] === 'unpublish_at')
  const told = problems.filter(({ code }) => code !== 'time_too_early' || !isInvalid)
  return [...new Map(told.map((problem) => [problem.path.join('.'), problem])).values()]
}

function toProblem(type: ContentType, row: EnteredRow, issue: z.core.$ZodIssue): AdminProblem {
  const { path, ...rule } = problemOf(issue)
  const [key] = path
  switch (key) {
    case 'title':
      return { path, code: 'title_missing' }
    case 'redirect_from':
      return {
        path: [key],
        code: 'redirect_invalid',
        params: { path: String(valueAt(row, path)), rule: rule as Rule },
      }
    case 'publish_at':
    case 'unpublish_at':
      return { path, code: rule.code === 'moment_after_publish' ? 'time_too_early' : 'time_invalid' }
    default:
      return { path, ...faultOf(fieldAt(type.fields, path), valueAt(row, path), rule as Rule) }
  }
}

function faultOf(field: SchemaField | undefined, value: unknown, rule: Rule): AdminFault {
  if (!field) return { code: 'field_unknown' }
  const { label, type, section } = field
  if (isEmpty(value)) return { code: 'field_missing', params: { label, type } }
  return section === undefined
    ? { code: 'field_invalid', params: { type } }
    : { code: 'field_rule', params: { rule } }
}

function fieldAt(fields: readonly SchemaField[], path: readonly PropertyKey[]): SchemaField | undefined {
  const [key, , ...rest] = path
  const field = fields.find((one) => one.key === key)
  return rest.length > 0 ? fieldAt(field?.fields ?? [], rest) : field
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value)
}
