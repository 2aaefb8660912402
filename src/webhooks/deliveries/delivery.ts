import type { DeliveryStatus } from '../../db/tables/webhook-tables.ts'
import type { NotMatchingReason } from '../../messages/admin/webhooks/reasons.ts'
import type { Choices } from '../../templates/choice-labels.ts'
import type { Answers } from '../../templates/meta.ts'
import type { MetaSource } from '../body/submission-meta.ts'

/** A row of `webhook_deliveries` before it is inserted: due at once, or skipped with the reason. */
export interface NewDelivery {
  submissionId: number
  formId: number
  webhookId: number
  status: Extract<DeliveryStatus, 'pending' | 'skipped'>
  createdAt: string
  nextAttemptAt: string | null
  /** Why it was skipped. */
  reason: NotMatchingReason | null
  finishedAt: string | null
}

/** A claimed delivery with everything that its next attempt needs. */
export interface DeliveryJob {
  id: number
  /** Sent as `webhook-id`. */
  messageId: string
  /** Attempts made so far. */
  attemptCount: number
  /** A test is a single attempt. It is sent even if the webhook is off, and never turns it off. */
  isTest: boolean
  /** Body of the first attempt; null before it. */
  requestBody: string | null
  /** Null in a test with sample answers. */
  submissionId: number | null
  /** Null when the webhook or its form was deleted. */
  webhookId: number | null
  /** Undefined when the body is rendered already, or the submission's form was deleted. */
  submission: MetaSource | undefined
  /** Undefined when they cannot be read, or the body is rendered already. */
  answers: Answers | undefined
  /** The labels that the form had when it was answered; undefined as the submission is. */
  choices: Choices | undefined
}
