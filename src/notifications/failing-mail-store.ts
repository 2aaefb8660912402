import { sql } from 'kysely'
import { type LeadScope, namesInScope } from '../db/lead-scope/lead-scope.ts'
import type { Db } from '../db/schema.ts'
import type { Outbox } from './outbox-store.ts'

/** Pending emails about leads whose last attempt failed. */
export interface FailingMail {
  count: number
  /** The lead whose email has been waiting longest. */
  submissionId: number
  /** When that email was due first; UTC text. */
  since: string
}

/** Finds pending emails and replies that failed at least once; undefined if there are none. */
export async function findFailingMail(db: Db, scope: LeadScope): Promise<FailingMail | undefined> {
  const failing = (outbox: Outbox) =>
    db
      .selectFrom(outbox)
      .select(['submission_id', 'created_at'])
      .where('status', '=', sql.lit('pending'))
      .where('next_attempt_at', 'is not', null)
      .where('attempt_count', '>', 0)
      .where(namesInScope(db, scope, `${outbox}.submission_id`))
  const row = await db
    .selectFrom(failing('notification_mails').unionAll(failing('reply_mails')).as('failing'))
    .select(['submission_id', 'created_at', sql<number>`count(*) over ()`.as('count')])
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row && { count: Number(row.count), submissionId: row.submission_id, since: row.created_at }
}
