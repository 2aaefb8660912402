import type { Json } from '../../lib/canonical-json.ts'
import { findValue, type Subject } from '../body/reference.ts'
import type { NotMatchingReason } from '../reasons/describe-reason.ts'
import { type ConditionTrace, shownValue } from '../reasons/explain-trace.ts'
import { type Condition, type ConditionTree, type Rule, toComparable, toConditionTree } from './conditions.ts'

const TRACED_CHARACTERS = 200

export interface Verdict {
  fires: boolean
  /** Why it does not fire; null when it does. */
  reason: NotMatchingReason | null
  /** Every rule with the value it saw; null when there is no condition. */
  trace: ConditionTrace | null
}

/** Whether a webhook fires for these answers (contract §6). Null fires always. */
export function evaluateCondition(condition: Condition | null, subject: Subject): Verdict {
  if (condition === null) return { fires: true, reason: null, trace: null }
  const trace = traceOf(toConditionTree(condition), subject)
  return {
    fires: trace.holds,
    reason: trace.holds ? null : { code: 'rule_failed', params: { trace } },
    trace,
  }
}

// Every rule is judged, also when the outcome is clear: whoever asks why wants to see all of them.
function traceOf(tree: ConditionTree, subject: Subject): ConditionTrace {
  if (tree.kind === 'rule') {
    const saw = findValue(tree.field, subject)
    // A place may be moved: where it was says why, its slug does not.
    const shows = tree.op === 'within' ? (findValue('meta.location_path', subject) ?? saw) : saw
    return { kind: 'rule', rule: describeRule(tree), saw: cut(shows), holds: holds(tree, saw, subject) }
  }
  if (tree.kind === 'not') {
    const of = traceOf(tree.of, subject)
    return { kind: 'not', holds: !of.holds, of }
  }
  const of = tree.of.map((part) => traceOf(part, subject))
  const isHeld = ({ holds }: ConditionTrace) => holds
  return { kind: tree.kind, holds: tree.kind === 'all' ? of.every(isHeld) : of.some(isHeld), of }
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

function describeRule(rule: Rule): string {
  return [rule.field, rule.op, 'value' in rule ? shownValue(rule.value) : ''].join(' ').trim()
}

function cut(value: Json): Json {
  if (typeof value === 'string' && value.length > TRACED_CHARACTERS)
    return `${value.slice(0, TRACED_CHARACTERS)}…`
  return Array.isArray(value) ? value.map(cut) : value
}
