import { type LeadScope, namesInScope } from '../db/lead-scope/lead-scope.ts'
import type { Db } from '../db/schema.ts'
import { fromRow } from '../db/tables/columns.ts'
import { readMailReason } from './mail-reason.ts'

/** A mail about a submission, and how its sending went. */
export type LoggedMail = Awaited<ReturnType<typeof listMails>>[number]

/** The mails about a submission with their attempts, oldest first. */
export async function listMails(db: Db, submissionId: number, scope: LeadScope) {
  const rows = await db
    .selectFrom('notification_mails')
    .select(['id', 'recipient', 'status', 'next_attempt_at', 'last_error', 'outcome_code'])
    .where('submission_id', '=', submissionId)
    .where(namesInScope(db, scope, 'notification_mails.submission_id'))
    .orderBy('id')
    .execute()
  if (rows.length === 0) return []
  const attempts = await listAttempts(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map(({ last_error, outcome_code, ...row }) => ({
    ...fromRow(row),
    reason: readMailReason({ last_error, outcome_code }),
    attempts: attempts.get(row.id) ?? [],
  }))
}

async function listAttempts(db: Db, mailIds: readonly number[]) {
  const rows = await db
    .selectFrom('mail_attempts')
    .selectAll()
    .where('mail_id', 'in', mailIds)
    .orderBy('id')
    .execute()
  return Map.groupBy(rows.map(fromRow), ({ mailId }) => mailId)
}
