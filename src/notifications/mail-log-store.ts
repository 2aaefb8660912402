import { type Selectable, sql } from 'kysely'
import { engineOf, jsonListOf } from '../db/dialects.ts'
import { type LeadScope, namesInScope } from '../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../db/schema.ts'
import { fromRow } from '../db/tables/columns.ts'
import { readMailReason } from './mail-reason.ts'

/** An email about a submission, and its attempts. */
export type LoggedMail = MailLog['mails'][number]

/** The reply to the visitor, and its state. */
export type LoggedReply = NonNullable<MailLog['reply']>

type MailLog = Awaited<ReturnType<typeof listMails>>

/** Lists the emails about a submission with their attempts, oldest first, and the reply; in one query. */
export async function listMails(db: Db, submissionId: number, scope: LeadScope) {
  const rows = await selectMails(db, submissionId, scope)
    .unionAll(selectReply(db, submissionId, scope))
    .orderBy('is_reply')
    .orderBy('id')
    .execute()
  const [replies, mails] = [true, false].map((isReply) =>
    rows.filter((row) => (Number(row.is_reply) === 1) === isReply),
  )
  return {
    mails: (mails ?? []).map((row) => ({ ...toLogged(row), attempts: toAttempts(row.attempts) })),
    reply: (replies ?? []).map(toLogged)[0],
  }
}

const ATTEMPT_COLUMNS = [
  'attempt_number',
  'started_at',
  'duration_ms',
  'response',
  'failure_message',
] as const

function selectMails(db: Db, submissionId: number, scope: LeadScope) {
  return db
    .selectFrom('notification_mails')
    .select(['id', 'recipient', 'status', 'next_attempt_at', 'last_error', 'outcome_code', 'finished_at'])
    .select([sql<string | null>`null`.as('response'), sql<number>`0`.as('is_reply')])
    .select(({ selectFrom }) =>
      selectFrom('mail_attempts')
        .select(jsonListOf(engineOf(db), ATTEMPT_COLUMNS, { orderBy: 'mail_attempts.id' }).as('list'))
        .whereRef('mail_attempts.mail_id', '=', 'notification_mails.id')
        .as('attempts'),
    )
    .where('submission_id', '=', submissionId)
    .where(namesInScope(db, scope, 'notification_mails.submission_id'))
}

function selectReply(db: Db, submissionId: number, scope: LeadScope) {
  return db
    .selectFrom('reply_mails')
    .select(['id', 'recipient', 'status', 'next_attempt_at', 'last_error', 'outcome_code', 'finished_at'])
    .select(['response', sql<number>`1`.as('is_reply'), sql<string | null>`null`.as('attempts')])
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

function toAttempts(json: string | null) {
  type AttemptRow = Pick<Selectable<Schema['mail_attempts']>, (typeof ATTEMPT_COLUMNS)[number]>
  return (JSON.parse(json ?? '[]') as AttemptRow[]).map(fromRow)
}
