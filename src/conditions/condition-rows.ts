import { findFieldType } from '../forms/field-types/field-types.ts'
import { canonicalJson, type Json } from '../lib/canonical-json.ts'
import { metaKeyOf } from '../templates/reference.ts'
import { type Condition, type Rule, toConditionTree } from './conditions.ts'
import { OPERATORS, type OperatorName } from './operators.ts'

/** A rule as a form shows it: all text, with commas between the values of a list. */
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

const NUMBER_META = ['submission_id', 'form_id', 'webhook_id']

/** The parts of a form field that the values of rules depend on. */
export interface RuleField {
  name: string
  type: string
  hasOptions: boolean
}

/**
 * The rows of a condition; undefined when rows cannot express it, because it nests deeper or a value would change, such
 * as one with a leading space.
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

/** Converts rows to a condition of contract §6, to be checked like any saved one. Rows without a field are ignored. */
export function fromConditionRows({ match, rules }: ConditionRows, fields: readonly RuleField[]): Json {
  const types = new Map(fields.map((field) => [field.name, field]))
  const written = rules.filter(({ field }) => field !== '').map((rule) => toRule(rule, types.get(rule.field)))
  if (match === 'always' || written.length === 0) return null
  return { [match]: written }
}

function comesBack(rule: Rule, definition: RuleField | undefined): boolean {
  // Comparison by order treats a number and its text alike.
  if (OPERATORS[rule.op].isOrder) return true
  const { kind: _, ...written } = rule
  return canonicalJson(toRule(toRuleInput(rule), definition)) === canonicalJson(written as Json)
}

function toRuleInput(rule: Rule): RuleInput {
  const value = rule.value === undefined ? '' : [rule.value].flat().map(String).join(', ')
  return { field: rule.field, op: rule.op, value }
}

function toRule({ field, op, value }: RuleInput, definition: RuleField | undefined): Json {
  const { value: schema, typedAs } = Object.hasOwn(OPERATORS, op)
    ? OPERATORS[op as OperatorName]
    : OPERATORS.eq
  if (!schema) return { field, op }
  const kind = typedAs === 'text' ? 'text' : kindOf(field, definition)
  const convert = (text: string) => toValue(text, kind)
  if (typedAs !== 'list') return { field, op, value: convert(value.trim()) }
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
