import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { composeMail } from './compose-mail.ts'
import type { MailContent } from './mail-content.ts'
import { insertMailAttempt, settleMail } from './mail-store.ts'
import type { ClaimedMail, MailState } from './outbox-store.ts'
import type { MailOutcome, SendMail } from './send-mail.ts'

/** The same as a webhook's default (§6.3). */
const MAX_RETRIES = 6

export interface DeliverOptions {
  db: Kysely<Schema>
  send: SendMail
  /** Returns the content of the email about that submission; undefined if it must no longer be sent. */
  describe: (mail: {
    submissionId: number
    formId: number | null
    recipient: string
  }) => Promise<MailContent | undefined>
  /** Returns the time of the next attempt after attempt `attemptNumber` (from 1) failed. */
  retryAt: (attemptNumber: number, now: Date) => Date
  /** The right side of message IDs, such as `www.example.com`. */
  messageHost: string
  now: () => Date
  /** Returns true if the attempt must no longer be recorded; the email is then retried at the next start. */
  isBrokenOff: () => boolean
}

/** An attempt and its result. */
export interface DeliveredMail {
  mail: ClaimedMail
  outcome: MailOutcome
  after: MailState
  /** Records both. Safe to repeat if it failed. */
  record(): Promise<void>
}

/**
 * Makes one attempt and returns it with its result: sent, pending with the next time, or failed. A permanent refusal
 * fails at once. Undefined if nothing was attempted or must be recorded.
 */
export async function deliverMail(
  mail: ClaimedMail,
  options: DeliverOptions,
): Promise<DeliveredMail | undefined> {
  const { db, now } = options
  const startedAt = now()
  const startedMs = performance.now()
  const content = await options.describe(mail)
  if (!content) return cancelMail(mail, options)
  const messageId = `notification-${mail.id}.${Date.parse(content.submittedAt)}@${options.messageHost}`
  const outcome = await options.send({ ...composeMail(content), recipient: mail.recipient, messageId })
  if (options.isBrokenOff()) return undefined
  const durationMs = Math.round(performance.now() - startedMs)
  const after = stateAfter(mail, outcome, options)
  const record = () =>
    db.transaction().execute(async (trx) => {
      if (!(await settleMail(trx, mail, after))) return
      const row = { id: mail.id, attemptNumber: after.attemptCount }
      await insertMailAttempt(trx, row, { startedAt, durationMs, ...textsOf(outcome) })
    })
  return { mail, outcome, after, record }
}

async function cancelMail(mail: ClaimedMail, { db, now }: DeliverOptions): Promise<undefined> {
  await settleMail(db, mail, {
    status: 'cancelled',
    attemptCount: mail.attemptCount,
    nextAttemptAt: null,
    lastError: null,
    reason: 'spam',
    finishedAt: now(),
  })
}

function stateAfter(mail: ClaimedMail, outcome: MailOutcome, { now, retryAt }: DeliverOptions): MailState {
  const attemptCount = mail.attemptCount + 1
  const finished = { attemptCount, nextAttemptAt: null, finishedAt: now() }
  if (outcome.kind === 'sent') return { ...finished, status: 'sent', lastError: null, reason: null }
  const lastError = outcome.message
  const reason = outcome.isFinal ? 'refused' : 'attempts_failed'
  if (outcome.isFinal || attemptCount > MAX_RETRIES)
    return { ...finished, status: 'failed', lastError, reason }
  const nextAttemptAt = retryAt(attemptCount, now())
  return { status: 'pending', attemptCount, nextAttemptAt, lastError, reason: null, finishedAt: null }
}

function textsOf(outcome: MailOutcome) {
  return outcome.kind === 'sent'
    ? { response: outcome.response, failureMessage: null }
    : { response: null, failureMessage: outcome.message }
}
