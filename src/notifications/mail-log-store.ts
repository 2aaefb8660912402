import { sql } from 'kysely'
import { type LeadScope, namesInScope } from '../db/lead-scope/lead-scope.ts'
import type { Db } from '../db/schema.ts'
import { fromRow } from '../db/tables/columns.ts'
import { readMailReason } from './mail-reason.ts'

/** An email about a submission, and its attempts. */
export type LoggedMail = MailLog['mails'][number]

/** The reply to the visitor, and its state. */
export type LoggedReply = NonNullable<MailLog['reply']>

type MailLog = Awaited<ReturnType<typeof listMails>>

/** Lists the emails about a submission with their attempts, oldest first, and the reply. */
export async function listMails(db: Db, submissionId: number, scope: LeadScope) {
  const rows = await selectMails(db, submissionId, scope)
    .unionAll(selectReply(db, submissionId, scope))
    .orderBy('is_reply')
    .orderBy('id')
    .execute()
  const [replies, mails] = [true, false].map((isReply) =>
    rows.filter((row) => (Number(row.is_reply) === 1) === isReply),
  )
  const ids = (mails ?? []).map(({ id }) => id)
  const attempts = ids.length === 0 ? new Map<number, never[]>() : await listAttempts(db, ids)
  return {
    mails: (mails ?? []).map((row) => ({ ...toLogged(row), attempts: attempts.get(row.id) ?? [] })),
    reply: (replies ?? []).map(toLogged)[0],
  }
}

function selectMails(db: Db, submissionId: number, scope: LeadScope) {
  return db
    .selectFrom('notification_mails')
    .select(['id', 'recipient', 'status', 'next_attempt_at', 'last_error', 'outcome_code', 'finished_at'])
    .select([sql<string | null>`null`.as('response'), sql<number>`0`.as('is_reply')])
    .where('submission_id', '=', submissionId)
    .where(namesInScope(db, scope, 'notification_mails.submission_id'))
}

function selectReply(db: Db, submissionId: number, scope: LeadScope) {
  return db
    .selectFrom('reply_mails')
    .select(['id', 'recipient', 'status', 'next_attempt_at', 'last_error', 'outcome_code', 'finished_at'])
    .select(['response', sql<number>`1`.as('is_reply')])
    .where('submission_id', '=', submissionId)
    .where(namesInScope(db, scope, 'reply_mails.submission_id'))
}

type MailRow = Awaited<ReturnType<ReturnType<typeof selectReply>['execute']>>[number]

function toLogged({ id, recipient, status, response, ...row }: MailRow) {
  return {
    ...{ id, recipient, status, response },
    nextAttemptAt: row.next_attempt_at,
    lastError: row.last_error,
    finishedAt: row.finished_at,
    reason: readMailReason(row),
  }
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
