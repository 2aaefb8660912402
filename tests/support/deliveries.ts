import { describeOutcome } from '#src/messages/admin/webhooks/reasons.ts'
import { type ReasonRow, readReason } from '#src/webhooks/reasons/reason-columns.ts'

/** What a person reads as the reason of a stored delivery; null when it says nothing. */
export function reasonOf(row: ReasonRow & { status: string }): string | null {
  return describeOutcome({ status: row.status, reason: readReason(row) }) ?? null
}
