import type { DeliveryStatus } from '../db/schema.ts'
import type { Answers } from './delivery-meta.ts'
import type { SubmissionOrigin } from './submission-meta.ts'
import type { Webhook } from './webhook.ts'

/** A row of `webhook_deliveries` before it is inserted: due at once, or skipped with the reason. */
export interface NewDelivery {
  submissionId: number
  formId: number
  webhookId: number
  status: Extract<DeliveryStatus, 'pending' | 'skipped'>
  createdAt: string
  nextAttemptAt: string | null
  outcomeReason: string | null
  finishedAt: string | null
}

/** A claimed delivery with everything that its next attempt needs. */
export interface DeliveryJob {
  id: number
  /** Sent as `webhook-id`. */
  messageId: string
  /** Attempts made so far. */
  attemptCount: number
  /** Until then the claim holds; also the mark by which a lost claim is recognised. */
  leaseExpiresAt: string
  /** The body of the first attempt; null before it. */
  requestBody: string | null
  /** Undefined when the webhook or its form was deleted. */
  webhook: Webhook | undefined
  /** Undefined when the submission's form was deleted. */
  submission: SubmissionOrigin | undefined
  /** Undefined when `data_json` cannot be read. */
  answers: Answers | undefined
}
