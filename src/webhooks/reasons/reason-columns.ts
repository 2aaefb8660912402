import { z } from 'zod'
import { jsonColumn } from '../../lib/json-column.ts'
import type { ConditionTrace } from '../../messages/admin/webhooks/conditions.ts'
import { type DeliveryReason, isReasonCode } from '../../messages/admin/webhooks/reasons.ts'

const paramsColumn = jsonColumn(z.record(z.string(), z.json()))
const traceColumn = jsonColumn(
  z.custom<ConditionTrace>((value) => typeof value === 'object' && value !== null),
)

/** A reason as its columns keep it. The trace of a rule that failed has its own column. */
export function reasonColumns(reason: DeliveryReason | null) {
  const params = reason?.code === 'rule_failed' ? undefined : reason?.params
  return {
    outcome_code: reason?.code ?? null,
    outcome_params_json: params ? JSON.stringify(params) : null,
  }
}

/** The columns of a skipped delivery: the reason, and each rule with the value it saw. */
export function skipColumns(reason: DeliveryReason | null) {
  const trace = reason?.code === 'rule_failed' ? reason.params.trace : null
  return { ...reasonColumns(reason), trace_json: trace && JSON.stringify(trace) }
}

export interface ReasonRow {
  outcome_code: string | null
  outcome_params_json: string | null
  trace_json: string | null
}

/** The reason in the columns of a delivery. An unknown code is shown as it is. */
export function readReason(row: ReasonRow): DeliveryReason | null {
  const { outcome_code: code, outcome_params_json: text } = row
  if (code === null) return null
  if (code === 'rule_failed') return { code, params: { trace: readTrace(row) } }
  if (!isReasonCode(code)) return { code: 'other', params: { text: code } }
  const params = text === null ? undefined : paramsColumn.safeDecode(text).data
  return { code, params } as DeliveryReason
}

/** Each rule of the condition with the value it saw, kept when the delivery was skipped. */
export function readTrace({ trace_json: text }: Pick<ReasonRow, 'trace_json'>): ConditionTrace | null {
  return text === null ? null : (traceColumn.safeDecode(text).data ?? null)
}
