import type { Kysely } from 'kysely'
import type { LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db, Schema } from '../../db/schema.ts'
import type { MailStatus } from '../../db/tables/mail-tables.ts'
import { findFormById } from '../../forms/form-store.ts'
import type { ResendRefusal } from '../../messages/admin/emails/resend.ts'
import { findMail, retryMail } from '../../notifications/mail-store.ts'
import { UNSENT } from '../../notifications/outbox-store.ts'
import { findReplyLimit, planReply } from '../../notifications/replies/plan-reply.ts'
import { findReply, retryReply } from '../../notifications/replies/reply-store.ts'
import { replyRecipient } from '../intake/reply-content.ts'
import type { Submission } from '../submission.ts'
import { findSubmission } from '../submission-store.ts'
import { fieldsOfTheTime } from './label-answers.ts'

/** A reply that may have arrived is sent by hand once in this time. */
const HOUR_MS = 3_600_000
// A reply is planned with its lead; one that is due later was sent by hand.
const PLANNED_WITHIN_MS = 60_000

/** An email of a submission: the reply to the visitor, or a notification by its ID. */
export interface MailOfLead {
  submissionId: number
  mail: 'reply' | number
}

interface Options {
  scope: LeadScope
  now: Date
}

/** An email that may be sent. */
interface Ready {
  kind: 'ready'
  recipient: string
  /** `unclear`: an earlier attempt may have arrived. */
  before: 'none' | 'unsent' | 'unclear'
  /** Makes it due. Returns false if someone else did meanwhile. */
  send: (db: Db) => Promise<boolean>
}

type Checked = Ready | { kind: 'refused'; reason: ResendRefusal } | { kind: 'not_found' }

/** Outcome of sending; `changed` if the earlier attempt no longer has the state that the user confirmed. */
type Sent = Checked | (Omit<Ready, 'kind'> & { kind: 'changed' })

/** Returns whether a user may send an email of a submission now: one that did not go out, and never for spam. */
export async function checkResend(
  db: Db,
  { submissionId, mail }: MailOfLead,
  options: Options,
): Promise<Checked> {
  const submission = await findSubmission(db, submissionId, options.scope)
  if (!submission) return { kind: 'not_found' }
  if (submission.status === 'spam') return refused('spam')
  return mail === 'reply'
    ? checkReply(db, submission, options)
    : checkNotification(db, submission, mail, options)
}

/**
 * Sends an email of a submission by hand, as `checkResend` allows, if `before` still tells what became of the earlier
 * attempt. Wake the mailer afterwards.
 */
export async function resendMail(
  db: Kysely<Schema>,
  of: MailOfLead,
  { before, ...options }: Options & { before: string },
): Promise<Sent> {
  return db.transaction().execute(async (trx) => {
    const checked = await checkResend(trx, of, options)
    if (checked.kind !== 'ready') return checked
    if (checked.before !== before) return { ...checked, kind: 'changed' }
    return (await checked.send(trx)) ? checked : refused('pending')
  })
}

async function checkNotification(
  db: Db,
  { id: submissionId, formId }: Submission,
  mailId: number,
  { now }: Options,
): Promise<Checked> {
  const mail = await findMail(db, mailId, { submissionId })
  if (!mail) return { kind: 'not_found' }
  if (formId === null) return refused('form_deleted')
  const { recipient } = mail
  return (
    findObstacle(mail) ?? {
      kind: 'ready',
      recipient,
      before: 'unsent',
      send: (trx) => retryMail(trx, mailId, { now }),
    }
  )
}

async function checkReply(db: Db, submission: Submission, { now }: Options): Promise<Checked> {
  const submissionId = submission.id
  const form = submission.formId === null ? undefined : await findFormById(db, submission.formId)
  if (!form?.settings.reply) return refused('reply_off')
  const reply = await findReply(db, submissionId)
  const obstacle = reply && findObstacle(reply)
  if (obstacle) return obstacle
  const recipient =
    reply?.recipient ??
    replyRecipient({ ...form, fields: await fieldsOfTheTime(db, submission, form) }, submission)
  if (recipient === undefined) return refused('no_address')
  const limit = await findReplyLimit(db, recipient, { now, ...(reply && { besides: reply.id }) })
  if (limit) return refused(limit)
  if (reply && stateOf(reply) === 'unclear' && wasJustResent(reply, submission, now))
    return refused('address_limit')
  const planned = { submissionId, formId: form.id, recipient, now }
  return {
    ...{ kind: 'ready', recipient, before: reply ? stateOf(reply) : 'none' },
    send: async (trx) => {
      if (reply) return retryReply(trx, reply.id, { now })
      await planReply(trx, planned)
      return true
    },
  }
}

function wasJustResent({ dueFrom }: { dueFrom: string }, { submittedAt }: Submission, now: Date): boolean {
  const wasResent = Date.parse(dueFrom) - Date.parse(submittedAt) > PLANNED_WITHIN_MS
  return wasResent && now.getTime() - Date.parse(dueFrom) < HOUR_MS
}

function stateOf({ reason }: { reason: string | null }): Ready['before'] {
  return reason === 'interrupted' || reason === 'uncertain' ? 'unclear' : 'unsent'
}

function findObstacle({ status }: { status: MailStatus }): Checked | undefined {
  if (UNSENT.includes(status)) return undefined
  return refused(status === 'sent' ? 'sent' : 'pending')
}

function refused(reason: ResendRefusal): Checked {
  return { kind: 'refused', reason }
}
