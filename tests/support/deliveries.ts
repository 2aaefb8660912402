import { describeOutcome } from '#src/messages/admin/webhooks/reasons.ts'
import { type ReasonRow, readReason } from '#src/webhooks/reasons/reason-columns.ts'

/** Returns a stored delivery's reason as people read it; null if there is none. */
export function reasonOf(row: ReasonRow & { status: string }): string | null {
  return describeOutcome({ status: row.status, reason: readReason(row) }) ?? null
}
