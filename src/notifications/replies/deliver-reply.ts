import type { MailReasonCode } from '../mail-reason.ts'
import type { ClaimedMail } from '../outbox-store.ts'
import type { MailOutcome, SendMail } from '../send-mail.ts'
import { composeReply, type ReplyContent } from './compose-reply.ts'
import type { ReplyState } from './reply-store.ts'

const MAX_RETRIES = 6

export interface DeliverReplyOptions {
  send: SendMail
  /** Returns the content of the reply, or `reason` if it must no longer be sent. */
  describe: (reply: ClaimedMail) => Promise<ReplyContent | { reason: MailReasonCode }>
  /** Returns when to try again after that attempt (from 1) failed. */
  retryAt: (attemptNumber: number, now: Date) => Date
  /** The right side of message IDs. */
  messageHost: string
  now: () => Date
}

/**
 * Makes one attempt and returns the result. An email that the server may have accepted is never sent again: a
 * visitor gets one reply or none.
 */
export async function deliverReply(reply: ClaimedMail, options: DeliverReplyOptions): Promise<ReplyState> {
  const content = await options.describe(reply)
  if ('reason' in content)
    return {
      status: 'cancelled',
      attemptCount: reply.attemptCount,
      ...NOTHING_SAID,
      reason: content.reason,
      finishedAt: options.now(),
    }
  const messageId = `reply-${reply.id}.${reply.submissionId}@${options.messageHost}`
  const mail = { ...composeReply(content), recipient: reply.recipient, messageId, isReply: true }
  return stateAfter(reply, await options.send(mail), options)
}

const NOTHING_SAID = { nextAttemptAt: null, response: null, lastError: null }

function stateAfter(
  { attemptCount: before }: ClaimedMail,
  outcome: MailOutcome,
  { now, retryAt }: DeliverReplyOptions,
): ReplyState {
  const attemptCount = before + 1
  const finished = { ...NOTHING_SAID, attemptCount, finishedAt: now() }
  if (outcome.kind === 'sent')
    return { ...finished, status: 'sent', response: outcome.response, reason: null }
  const lastError = outcome.message
  if (outcome.isFinal) return { ...finished, status: 'failed', lastError, reason: 'refused' }
  if (outcome.isUncertain) return { ...finished, status: 'failed', lastError, reason: 'uncertain' }
  if (attemptCount > MAX_RETRIES)
    return { ...finished, status: 'failed', lastError, reason: 'attempts_failed' }
  const nextAttemptAt = retryAt(attemptCount, now())
  return {
    ...finished,
    status: 'pending',
    nextAttemptAt,
    lastError,
    reason: null,
    finishedAt: null,
  }
}
