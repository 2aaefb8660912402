import { sql } from 'kysely'
import { inScope, type LeadScope, namesInScope } from '../db/lead-scope/lead-scope.ts'
import type { Db } from '../db/schema.ts'
import type { Outbox } from './outbox-store.ts'

/** Emails of each kind that are searched for failed ones, newest first, so that millions of sent ones cost nothing. */
const SEARCHED = 10_000

/** Emails about leads that need attention. */
export interface MailProblems {
  /** Pending emails whose last attempt failed; undefined if there are none. */
  failing: FailingMail | undefined
  /** The newest emails that will not be sent again by themselves, and how many there are. */
  failed: { mails: FailedMail[]; count: number }
}

interface FailingMail {
  count: number
  /** The lead whose email has been waiting longest. */
  submissionId: number
  /** When that email was due first; UTC text. */
  since: string
}

interface FailedMail {
  submissionId: number
  recipient: string
  /** True for the reply to the visitor. */
  isReply: boolean
  /** UTC text. */
  failedAt: string
}

/**
 * Finds the emails and replies that failed at least once, in one query. `failed` has those since a time, in UTC text,
 * of leads that are neither archived nor spam, which need no email any more.
 */
export async function findMailProblems(
  db: Db,
  { limit, ...options }: { scope: LeadScope; since: string; limit: number },
): Promise<MailProblems> {
  const found = selectFailing(db, 'notification_mails', options)
    .unionAll(selectFailing(db, 'reply_mails', options))
    .unionAll(selectFailed(db, 'notification_mails', options))
    .unionAll(selectFailed(db, 'reply_mails', options))
  const inState = sql`partition by is_failed order by case is_failed when 0 then "at" end, "at" desc, submission_id desc`
  const ranked = db
    .selectFrom(found.as('found'))
    .selectAll()
    .select([
      sql<number>`count(*) over (partition by is_failed)`.as('count'),
      sql<number>`row_number() over (${inState})`.as('place'),
    ])
  const rows = await db
    .selectFrom(ranked.as('ranked'))
    .selectAll()
    .where('place', '<=', limit)
    .orderBy('place')
    .execute()
  const [failing] = rows.filter((row) => Number(row.is_failed) === 0)
  const failed = rows.filter((row) => Number(row.is_failed) === 1)
  return {
    failing: failing && {
      count: Number(failing.count),
      submissionId: failing.submission_id,
      since: failing.at,
    },
    failed: {
      count: Number(failed[0]?.count ?? 0),
      mails: failed.map((row) => ({
        ...{ submissionId: row.submission_id, recipient: row.recipient, failedAt: row.at },
        isReply: Number(row.is_reply) === 1,
      })),
    },
  }
}

function selectFailing(db: Db, outbox: Outbox, { scope }: { scope: LeadScope }) {
  return db
    .selectFrom(outbox)
    .select(['submission_id', 'recipient', 'created_at as at'])
    .select([isReply(outbox), sql<number>`0`.as('is_failed')])
    .where('status', '=', sql.lit('pending'))
    .where('next_attempt_at', 'is not', null)
    .where('attempt_count', '>', 0)
    .where(namesInScope(db, scope, `${outbox}.submission_id`))
}

function selectFailed(db: Db, outbox: Outbox, { scope, since }: { scope: LeadScope; since: string }) {
  return db
    .selectFrom(outbox)
    .select(['submission_id', 'recipient', sql<string>`finished_at`.as('at')])
    .select([isReply(outbox), sql<number>`1`.as('is_failed')])
    .where(sql<boolean>`id > (select max(id) - ${sql.lit(SEARCHED)} from ${sql.table(outbox)})`)
    .where('status', '=', sql.lit('failed'))
    .where('finished_at', '>=', since)
    .where(({ exists }) =>
      // Not a join, for which SQLite would begin with all leads.
      exists(
        db
          .selectFrom('form_submissions as lead')
          .select('lead.id')
          .where('lead.id', '=', sql.ref<number>(`${outbox}.submission_id`))
          .where('lead.status', 'in', ['new', 'read'])
          .where(inScope(db, scope, 'lead')),
      ),
    )
}

function isReply(outbox: Outbox) {
  return sql<number>`${sql.lit(outbox === 'reply_mails' ? 1 : 0)}`.as('is_reply')
}
