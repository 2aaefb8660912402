import type { Json } from '../lib/canonical-json.ts'
import { type Condition, type ConditionTree, type Rule, toConditionTree } from './conditions.ts'
import { metaKeyOf } from './reference.ts'

/** A rule as a form holds it: all text, the values of a list between commas. */
export interface RuleInput {
  field: string
  op: string
  value: string
}

/** A condition that a form of rows can hold. */
export interface ConditionRows {
  match: 'always' | 'all' | 'any'
  rules: RuleInput[]
}

/** The operators as people read them, in the order of a menu. */
export const OPERATORS: readonly { op: Rule['op']; label: string; takes: 'value' | 'values' | 'nothing' }[] =
  [
    { op: 'eq', label: 'is', takes: 'value' },
    { op: 'ne', label: 'is not', takes: 'value' },
    { op: 'in', label: 'is one of', takes: 'values' },
    { op: 'not_in', label: 'is none of', takes: 'values' },
    { op: 'contains', label: 'contains', takes: 'value' },
    { op: 'not_contains', label: 'does not contain', takes: 'value' },
    { op: 'starts_with', label: 'starts with', takes: 'value' },
    { op: 'ends_with', label: 'ends with', takes: 'value' },
    { op: 'gt', label: 'is more than', takes: 'value' },
    { op: 'gte', label: 'is at least', takes: 'value' },
    { op: 'lt', label: 'is less than', takes: 'value' },
    { op: 'lte', label: 'is at most', takes: 'value' },
    { op: 'includes', label: 'has the choice', takes: 'value' },
    { op: 'within', label: 'is, or lies within', takes: 'value' },
    { op: 'empty', label: 'is empty', takes: 'nothing' },
    { op: 'not_empty', label: 'is not empty', takes: 'nothing' },
  ]

const TEXT_OPERATORS = ['contains', 'not_contains', 'starts_with', 'ends_with', 'within']
const NUMBER_META = ['submission_id', 'form_id', 'webhook_id']

/** The rows of a condition; undefined when rows cannot show it: it nests deeper, or a value of a list has a comma. */
export function toConditionRows(condition: Condition | null): ConditionRows | undefined {
  if (condition === null) return { match: 'always', rules: [] }
  const tree = toConditionTree(condition)
  if (tree.kind === 'not') return undefined
  if (tree.kind === 'rule') return hasCommas(tree) ? undefined : { match: 'all', rules: [toRuleInput(tree)] }
  const rules = tree.of.flatMap((part) => (part.kind === 'rule' ? [toRuleInput(part)] : []))
  if (rules.length < tree.of.length || tree.of.some(hasCommas)) return undefined
  return rules.length === 0 ? { match: 'always', rules } : { match: tree.kind, rules }
}

/** What rows say in the language of contract §6, to be checked as everything that is saved. Rows without a field say nothing. */
export function fromConditionRows(
  { match, rules }: ConditionRows,
  fields: readonly { name: string; type: string; hasOptions: boolean }[],
): Json {
  const types = new Map(fields.map((field) => [field.name, field]))
  const written = rules.filter(({ field }) => field !== '').map((rule) => toRule(rule, types.get(rule.field)))
  if (match === 'always' || written.length === 0) return null
  return { [match]: written }
}

function hasCommas(part: ConditionTree): boolean {
  return (
    part.kind === 'rule' && 'value' in part && Array.isArray(part.value) && part.value.join('').includes(',')
  )
}

function toRuleInput(rule: Rule): RuleInput {
  const value = 'value' in rule ? [rule.value].flat().map(String).join(', ') : ''
  return { field: rule.field, op: rule.op, value }
}

function toRule(
  { field, op, value }: RuleInput,
  definition: { type: string; hasOptions: boolean } | undefined,
): Json {
  const takes = OPERATORS.find((one) => one.op === op)?.takes
  if (takes === 'nothing') return { field, op }
  const kind = TEXT_OPERATORS.includes(op) ? 'text' : kindOf(field, definition)
  const convert = (text: string) => toValue(text, kind)
  if (takes !== 'values') return { field, op, value: convert(value.trim()) }
  const values = value.split(',').map((part) => part.trim())
  return { field, op, value: values.filter((part) => part !== '').map(convert) }
}

// Text compares exactly: a number is compared with what a number field stores only when it is one itself.
function kindOf(field: string, definition: { type: string; hasOptions: boolean } | undefined) {
  const key = metaKeyOf(field)
  if (key === 'is_test') return 'boolean'
  if (key !== undefined) return NUMBER_META.includes(key) ? 'number' : 'text'
  if (definition?.type === 'number') return 'number'
  return definition?.type === 'checkbox' && !definition.hasOptions ? 'boolean' : 'text'
}

function toValue(text: string, kind: 'text' | 'number' | 'boolean'): string | number | boolean {
  if (kind === 'boolean' && /^(true|yes|false|no)$/i.test(text)) return /^(true|yes)$/i.test(text)
  return kind === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
