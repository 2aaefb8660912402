import { z } from 'zod'
import type { Json } from '../lib/canonical-json.ts'
import { isCalendarDay } from '../lib/locale/calendar-day.ts'
import type { operatorLabels } from '../messages/admin/webhooks/conditions.ts'
import { rule } from '../messages/files/rules/schema-rule.ts'
import { findValue, type Subject } from '../templates/reference.ts'

/** Everything about one operator of contract §6. */
interface Operator {
  /** The values it compares with; undefined for an operator without a value. */
  value?: z.ZodType
  /** Values typed in the admin: more than one, or independent of the field's type. */
  typedAs?: 'list' | 'text'
  /** True if 5 and "5" are the same to it. */
  isOrder?: boolean
  /** True if it compares with a whole value, such as a slug or a choice, not a part. */
  isWhole?: boolean
  /** The only field that it works on. */
  field?: string
  /** The reference whose value explains the result, if it is not the field's own. */
  shows?: string
  /** True if it holds for a null or missing value, which `holds` never sees. */
  whenNull?: boolean
  holds(seen: NonNullable<Json>, value: Json, subject: Subject): boolean
}

/** A value of a rule: a text, number or boolean. */
export const scalar = z.union([z.string(), z.number(), z.boolean()], rule('condition_value'))
/** Values of a rule, of which one is enough. */
export const list = z.array(scalar, rule('condition_values')).min(1, rule('first_value'))
const text = z.string(rule('condition_text')).min(1, rule('condition_text_filled'))
const comparable = z.custom<string | number>(
  (value) => toComparable(value as Json) !== undefined,
  rule('comparable'),
)
const slug = text.regex(/^[a-z0-9-]+$/, rule('location_slug'))

const ordered = (isRight: (difference: number) => boolean): Operator => ({
  value: comparable,
  isOrder: true,
  holds: (seen, value) => isRight(differenceOf(seen, value)),
})

/** In the order of the admin's menu, each with its label in `operatorLabels`. */
const TABLE = {
  eq: { value: scalar, isWhole: true, holds: (seen, value) => seen === value },
  ne: {
    value: scalar,
    isWhole: true,
    whenNull: true,
    holds: (seen, value) => seen !== value,
  },
  in: {
    value: list,
    typedAs: 'list',
    isWhole: true,
    holds: (seen, values) => includes(values, seen),
  },
  not_in: {
    value: list,
    typedAs: 'list',
    isWhole: true,
    whenNull: true,
    holds: (seen, values) => !includes(values, seen),
  },
  contains: { value: text, typedAs: 'text', holds: contains },
  not_contains: {
    value: text,
    typedAs: 'text',
    whenNull: true,
    holds: (seen, part) => !contains(seen, part),
  },
  starts_with: {
    value: text,
    typedAs: 'text',
    holds: (seen, part) => typeof seen === 'string' && seen.startsWith(String(part)),
  },
  ends_with: {
    value: text,
    typedAs: 'text',
    holds: (seen, part) => typeof seen === 'string' && seen.endsWith(String(part)),
  },
  gt: ordered((difference) => difference > 0),
  gte: ordered((difference) => difference >= 0),
  lt: ordered((difference) => difference < 0),
  lte: ordered((difference) => difference <= 0),
  includes: { value: scalar, isWhole: true, holds: includes },
  within: {
    value: slug,
    typedAs: 'text',
    isWhole: true,
    // A place may be moved: its path explains the result, its slug does not.
    field: 'meta.location_slug',
    shows: 'meta.location_path',
    holds: isWithin,
  },
  empty: { whenNull: true, holds: isEmpty },
  not_empty: { holds: (seen) => !isEmpty(seen) },
} as const satisfies Record<keyof typeof operatorLabels, Operator>

export type OperatorName = keyof typeof TABLE

export const OPERATORS: Readonly<Record<OperatorName, Operator>> = TABLE

export const OPERATOR_NAMES = Object.keys(TABLE) as OperatorName[]

function isEmpty(seen: NonNullable<Json>): boolean {
  return seen === '' || (Array.isArray(seen) && seen.length === 0)
}

function includes(values: Json, value: Json): boolean {
  return Array.isArray(values) && values.includes(value)
}

/** Part of a text, or one of the values of a checkbox group. */
function contains(seen: NonNullable<Json>, part: Json): boolean {
  return typeof seen === 'string' ? seen.includes(String(part)) : includes(seen, part)
}

// Slugs are unique within a taxonomy (§2.7), so a slug anywhere in the path is the location or one above it.
function isWithin(seen: NonNullable<Json>, place: Json, subject: Subject): boolean {
  const path = findValue('meta.location_path', subject)
  return seen === place || (typeof path === 'string' && path.split('/').includes(String(place)))
}

const NUMBER_TEXT = /^-?\d+(\.\d+)?$/
const DATE_TEXT = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Numbers and dates as values that `<` can order, dates in milliseconds; undefined for everything else. */
function toComparable(value: Json): { kind: 'number' | 'date'; amount: number } | undefined {
  if (typeof value === 'number') return { kind: 'number', amount: value }
  if (typeof value !== 'string') return undefined
  if (NUMBER_TEXT.test(value)) return { kind: 'number', amount: Number(value) }
  const [, day, time, , , zone] = DATE_TEXT.exec(value) ?? []
  if (day === undefined || !isCalendarDay(day)) return undefined
  // A time without a zone is UTC, as every date-time in the database is.
  const amount = Date.parse(time && !zone ? `${value.replace(' ', 'T')}Z` : value)
  return Number.isNaN(amount) ? undefined : { kind: 'date', amount }
}

/** Returns the difference of two numbers or dates; NaN when they have no order. */
function differenceOf(left: Json, right: Json): number {
  const [first, second] = [toComparable(left), toComparable(right)]
  return first && first.kind === second?.kind ? first.amount - second.amount : Number.NaN
}
