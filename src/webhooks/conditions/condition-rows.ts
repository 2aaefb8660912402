import { findFieldType } from '../../forms/field-types/field-types.ts'
import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { metaKeyOf } from '../body/reference.ts'
import { type Condition, type Rule, toConditionTree } from './conditions.ts'

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
const ORDER_OPERATORS = ['gt', 'gte', 'lt', 'lte']
const NUMBER_META = ['submission_id', 'form_id', 'webhook_id']

/** What a form asks for, as far as the values of rules depend on it. */
export interface RuleField {
  name: string
  type: string
  hasOptions: boolean
}

/**
 * The rows of a condition; undefined when rows cannot say the same: it nests deeper, or a value would come back as
 * another, such as one with a blank in front.
 */
export function toConditionRows(
  condition: Condition | null,
  fields: readonly RuleField[],
): ConditionRows | undefined {
  if (condition === null) return { match: 'always', rules: [] }
  const tree = toConditionTree(condition)
  if (tree.kind === 'not') return undefined
  const parts = tree.kind === 'rule' ? [tree] : tree.of
  const rules = parts.filter((part) => part.kind === 'rule')
  const types = new Map(fields.map((field) => [field.name, field]))
  const areSame = rules.every((rule) => comesBack(rule, types.get(rule.field)))
  if (rules.length < parts.length || !areSame) return undefined
  if (rules.length === 0) return { match: 'always', rules: [] }
  return { match: tree.kind === 'any' ? 'any' : 'all', rules: rules.map(toRuleInput) }
}

/** What rows say in the language of contract §6, to be checked as everything that is saved. Rows without a field say nothing. */
export function fromConditionRows({ match, rules }: ConditionRows, fields: readonly RuleField[]): Json {
  const types = new Map(fields.map((field) => [field.name, field]))
  const written = rules.filter(({ field }) => field !== '').map((rule) => toRule(rule, types.get(rule.field)))
  if (match === 'always' || written.length === 0) return null
  return { [match]: written }
}

function comesBack(rule: Rule, definition: RuleField | undefined): boolean {
  const { kind: _, ...written } = rule
  const again = toRule(toRuleInput(rule), definition)
  return canonicalJson(inOrder(again)) === canonicalJson(inOrder(written as Json))
}

// What is compared by order is the same as a number and as its text.
function inOrder(rule: Json): Json {
  const { op, value } = rule as { op: string; value?: Json }
  return ORDER_OPERATORS.includes(op) ? { ...(rule as object), value: String(value) } : rule
}

function toRuleInput(rule: Rule): RuleInput {
  const value = 'value' in rule ? [rule.value].flat().map(String).join(', ') : ''
  return { field: rule.field, op: rule.op, value }
}

function toRule({ field, op, value }: RuleInput, definition: RuleField | undefined): Json {
  const takes = OPERATORS.find((one) => one.op === op)?.takes
  if (takes === 'nothing') return { field, op }
  const kind = TEXT_OPERATORS.includes(op) ? 'text' : kindOf(field, definition)
  const convert = (text: string) => toValue(text, kind)
  if (takes !== 'values') return { field, op, value: convert(value.trim()) }
  const values = value.split(',').map((part) => part.trim())
  return { field, op, value: values.filter((part) => part !== '').map(convert) }
}

// Text compares exactly: a number is compared with what a number field stores only when it is one itself.
function kindOf(field: string, definition: RuleField | undefined) {
  const key = metaKeyOf(field)
  if (key === 'is_test') return 'boolean'
  if (key !== undefined) return NUMBER_META.includes(key) ? 'number' : 'text'
  if (!definition || definition.hasOptions) return 'text'
  return findFieldType(definition.type)?.storedAs ?? 'text'
}

function toValue(text: string, kind: 'text' | 'number' | 'boolean'): string | number | boolean {
  if (kind === 'boolean' && /^(true|yes|false|no)$/i.test(text)) return /^(true|yes)$/i.test(text)
  return kind === 'number' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}
