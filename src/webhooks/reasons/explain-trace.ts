import type { Json } from '../../lib/canonical-json.ts'

const SHOWN_CHARACTERS = 80

/** A condition as it was judged: the same tree, each part with its verdict. Long texts are cut. */
export type ConditionTrace =
  | { kind: 'rule'; rule: string; saw: Json; holds: boolean }
  | { kind: 'all' | 'any'; holds: boolean; of: ConditionTrace[] }
  | { kind: 'not'; holds: boolean; of: ConditionTrace }

/** Names the first rule that did not hold and the value it saw, such as `budget gte 500, but it was 300`. */
export function explainTrace(trace: ConditionTrace): string {
  if (trace.kind === 'rule') return `${trace.rule}, but it was ${shownValue(trace.saw)}`
  if (trace.kind === 'not') return `not (${describe(trace.of)})`
  const failed = trace.of.filter((part) => !part.holds).map(explainTrace)
  return trace.kind === 'any' ? `none of: ${failed.join('; ')}` : (failed[0] ?? '')
}

/** A value of a condition as JSON; cut when it is long. */
export function shownValue(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? ''
  return text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`
}

function describe(trace: ConditionTrace): string {
  if (trace.kind === 'rule') return trace.rule
  if (trace.kind === 'not') return `not (${describe(trace.of)})`
  return `${trace.kind} of (${trace.of.map(describe).join('; ')})`
}
