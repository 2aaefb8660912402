import type { Json } from '../lib/canonical-json.ts'
import type { ConditionTrace } from '../messages/admin/webhooks/conditions.ts'
import type { NotMatchingReason } from '../messages/admin/webhooks/reasons.ts'
import { findValue } from '../templates/reference.ts'
import {
  type JudgedSubject,
  NOTHING_RENAMED,
  ruleWithTodaysSlugs,
  withTodaysSlugs,
} from './condition-slugs.ts'
import { type Condition, type ConditionTree, type Rule, toConditionTree } from './conditions.ts'
import { OPERATORS } from './operators.ts'

const TRACED_CHARACTERS = 200
const SHOWN_CHARACTERS = 80

export interface Verdict {
  fires: boolean
  /** Why it does not fire; null when it does. */
  reason: NotMatchingReason | null
  /** Every rule with the value it saw; null when there is no condition. */
  trace: ConditionTrace | null
}

/**
 * Returns whether a webhook fires for these answers (contract §6). Null always fires. A former slug of a place or
 * service means its current slug.
 */
export function evaluateCondition(condition: Condition | null, subject: JudgedSubject): Verdict {
  if (condition === null) return { fires: true, reason: null, trace: null }
  const trace = traceOf(toConditionTree(condition), withTodaysSlugs(subject))
  return {
    fires: trace.holds,
    reason: trace.holds ? null : { code: 'rule_failed', params: { trace } },
    trace,
  }
}

/** Returns the rules of a condition as an explanation lists them, seen by no lead. */
export function outlineCondition(condition: Condition): ConditionTrace {
  return traceOf(toConditionTree(condition), { answers: {}, meta: {}, renamed: NOTHING_RENAMED })
}

// Judges every rule, even when the outcome is clear: an explanation lists all of them.
function traceOf(tree: ConditionTree, subject: JudgedSubject): ConditionTrace {
  if (tree.kind === 'rule') {
    const saw = findValue(tree.field, subject)
    const { shows } = OPERATORS[tree.op]
    const shown = (shows && findValue(shows, subject)) ?? saw
    return { kind: 'rule', rule: describeRule(tree), saw: cut(shown), holds: holds(tree, saw, subject) }
  }
  if (tree.kind === 'not') {
    const of = traceOf(tree.of, subject)
    return { kind: 'not', holds: !of.holds, of }
  }
  const of = tree.of.map((part) => traceOf(part, subject))
  const isHeld = ({ holds }: ConditionTrace) => holds
  return { kind: tree.kind, holds: tree.kind === 'all' ? of.every(isHeld) : of.some(isHeld), of }
}

function holds(rule: Rule, seen: Json, subject: JudgedSubject): boolean {
  const { op, value = null } = ruleWithTodaysSlugs(rule, subject.renamed)
  const operator = OPERATORS[op]
  return seen === null ? operator.whenNull === true : operator.holds(seen, value, subject)
}

function describeRule(rule: Rule): string {
  return [rule.field, rule.op, rule.value === undefined ? '' : shownValue(rule.value)].join(' ').trim()
}

function shownValue(value: Json): string {
  const text = JSON.stringify(value)
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`
}

function cut(value: Json): Json {
  if (typeof value === 'string' && value.length > TRACED_CHARACTERS)
    return `${value.slice(0, TRACED_CHARACTERS)}…`
  return Array.isArray(value) ? value.map(cut) : value
}
