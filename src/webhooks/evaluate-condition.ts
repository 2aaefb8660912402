import type { Json } from '../lib/canonical-json.ts'
import { type Condition, type ConditionTree, type Rule, toComparable, toConditionTree } from './conditions.ts'
import { findValue, type Subject } from './reference.ts'

const SHOWN_CHARACTERS = 80

export interface Verdict {
  fires: boolean
  /** The first rule that did not hold and the value it saw, such as `budget gte 500, but it was 300`. */
  failedRule: string | null
}

const HOLDS: Verdict = { fires: true, failedRule: null }

/** Whether a webhook fires for these answers (contract §6). Null fires always. */
export function evaluateCondition(condition: Condition | null, subject: Subject): Verdict {
  return condition === null ? HOLDS : judge(toConditionTree(condition), subject)
}

function judge(tree: ConditionTree, subject: Subject): Verdict {
  switch (tree.kind) {
    case 'rule':
      return judgeRule(tree, subject)
    case 'not':
      return judge(tree.of, subject).fires ? failed(`not (${describe(tree.of)})`) : HOLDS
    case 'all':
      return tree.of.map((part) => judge(part, subject)).find((verdict) => !verdict.fires) ?? HOLDS
    case 'any':
      return judgeAny(tree.of, subject)
  }
}

function judgeAny(parts: readonly ConditionTree[], subject: Subject): Verdict {
  const verdicts = parts.map((part) => judge(part, subject))
  if (verdicts.some((verdict) => verdict.fires)) return HOLDS
  return failed(`none of: ${verdicts.map((verdict) => verdict.failedRule).join('; ')}`)
}

function judgeRule(rule: Rule, subject: Subject): Verdict {
  const seen = findValue(rule.field, subject)
  if (holds(rule, seen, subject)) return HOLDS
  return failed(`${describe(rule)}, but it was ${shown(seen)}`)
}

function failed(failedRule: string): Verdict {
  return { fires: false, failedRule }
}

function holds(rule: Rule, seen: Json, subject: Subject): boolean {
  switch (rule.op) {
    case 'empty':
      return isEmpty(seen)
    case 'not_empty':
      return !isEmpty(seen)
    case 'ne':
      return seen !== rule.value
    case 'not_in':
      return seen === null || !isOneOf(seen, rule.value)
    case 'not_contains':
      return seen === null || !contains(seen, rule.value)
    default:
      return seen !== null && matches(rule, seen, subject)
  }
}

function matches(rule: Rule, seen: NonNullable<Json>, subject: Subject): boolean {
  switch (rule.op) {
    case 'eq':
      return seen === rule.value
    case 'in':
      return isOneOf(seen, rule.value)
    case 'includes':
      return Array.isArray(seen) && seen.includes(rule.value)
    case 'contains':
      return contains(seen, rule.value)
    case 'starts_with':
      return typeof seen === 'string' && seen.startsWith(rule.value)
    case 'ends_with':
      return typeof seen === 'string' && seen.endsWith(rule.value)
    case 'within':
      return isWithin(seen, rule.value, subject)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return isInOrder(rule.op, seen, rule.value)
    default:
      return false
  }
}

function isEmpty(seen: Json): boolean {
  return seen === null || seen === '' || (Array.isArray(seen) && seen.length === 0)
}

function isOneOf(seen: Json, values: readonly Json[]): boolean {
  return values.includes(seen)
}

/** Part of a text, or one of the values of a checkbox group. */
function contains(seen: Json, part: string): boolean {
  return typeof seen === 'string' ? seen.includes(part) : Array.isArray(seen) && seen.includes(part)
}

// Slugs are unique within a taxonomy (§2.7): a slug anywhere in the path is the location or above it.
function isWithin(seen: Json, slug: string, subject: Subject): boolean {
  const path = findValue('meta.location_path', subject)
  return seen === slug || (typeof path === 'string' && path.split('/').includes(slug))
}

function isInOrder(op: 'gt' | 'gte' | 'lt' | 'lte', seen: Json, value: Json): boolean {
  const left = toComparable(seen)
  const right = toComparable(value)
  if (!left || !right || left.kind !== right.kind) return false
  const difference = left.amount - right.amount
  return { gt: difference > 0, gte: difference >= 0, lt: difference < 0, lte: difference <= 0 }[op]
}

function describe(tree: ConditionTree): string {
  if (tree.kind === 'rule')
    return [tree.field, tree.op, 'value' in tree ? shown(tree.value) : ''].join(' ').trim()
  if (tree.kind === 'not') return `not (${describe(tree.of)})`
  return `${tree.kind} of (${tree.of.map(describe).join('; ')})`
}

function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? ''
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`
}
