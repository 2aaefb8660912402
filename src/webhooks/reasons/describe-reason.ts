import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { type ConditionTrace, explainTrace } from './explain-trace.ts'

/** Why a webhook cannot be sent now: a person has to give the program what it lacks. */
const BLOCKED = {
  header_sealed: () => 'a header cannot be opened with this SECRET_KEY',
  secret_sealed: () => 'the signing secret cannot be opened with this SECRET_KEY',
  values_missing: ({ names }: { names: string }) => `${names} is not set in the environment`,
  url_invalid: ({ url }: { url: string }) => `${url} is no address with the values of the environment`,
  header_invalid: () => 'A header cannot be sent with the values of the environment',
}

/** Why a webhook can never be sent as it is stored. */
const UNUSABLE = {
  method_unusable: ({ problem }: { problem: string }) =>
    `The method of the webhook cannot be used: ${problem}`,
  headers_unusable: ({ problem }: { problem: string }) =>
    `The headers of the webhook cannot be used: ${problem}`,
  template_unreadable: ({ problem }: { problem: string }) =>
    `The template of the webhook cannot be read: ${problem}`,
}

/** Why a webhook does not fire for a submission. */
const NOT_MATCHING = {
  rule_failed: ({ trace }: { trace: ConditionTrace | null }) =>
    trace === null ? 'The condition did not match' : explainTrace(trace),
  condition_unreadable: ({ problem }: { problem: string }) => `The condition cannot be read: ${problem}`,
}

const SENTENCES = {
  ...BLOCKED,
  ...UNUSABLE,
  ...NOT_MATCHING,
  spam: () => 'The submission was marked as spam',
  webhook_deleted: () => 'The webhook was deleted',
  webhook_off: () => 'The webhook was switched off',
  by_hand: () => 'Cancelled by hand',
  form_deleted: () => 'The form of the submission was deleted',
  answers_unreadable: () => 'The answers of the submission cannot be read',
  test_failed: ({ message }: { message: string }) => `The test failed: ${message}`,
  gone: () => 'HTTP 410: the webhook was switched off',
  attempts_failed: ({ attempts, message }: { attempts: number; message: string }) =>
    attempts === 1
      ? `The only attempt failed with: ${message}`
      : `${attempts} attempts failed, the last with: ${message}`,
  unrecorded: () => 'An attempt was made that could not be recorded; see the log of the program',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why a delivery was skipped, canceled or failed, or why it is still pending. */
export type DeliveryReason = MessageOf<typeof SENTENCES>
export type BlockedReason = MessageOf<typeof BLOCKED>
export type UnusableReason = MessageOf<typeof UNUSABLE>
export type NotMatchingReason = MessageOf<typeof NOT_MATCHING>

/** The sentence of a reason. */
export const describeReason = createMessages(SENTENCES)

export function isReasonCode(code: string): code is DeliveryReason['code'] {
  return Object.hasOwn(SENTENCES, code)
}

/** Why a delivery is in its state, as a person reads it; undefined when there is nothing to say. */
export function describeOutcome(delivery: {
  status: string
  reason: DeliveryReason | null
}): string | undefined {
  if (!delivery.reason) return undefined
  const sentence = describeReason(delivery.reason)
  return delivery.status === 'pending' ? `Waits: ${sentence}` : sentence
}
