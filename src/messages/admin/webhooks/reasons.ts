import { createMessages, type MessageOf } from '#src/lib/messages.ts'
import { type ConditionNames, type ConditionTrace, explainTrace } from './conditions.ts'

/** Why a webhook cannot be sent now: a person has to give the program what it lacks. */
const BLOCKED = {
  header_sealed: () => 'this SECRET_KEY can’t decrypt a header',
  secret_sealed: () => 'this SECRET_KEY can’t decrypt the signing secret',
  values_missing: ({ names }: { names: string }) => `${names} is not set in the environment`,
  url_invalid: ({ url }: { url: string }) => `${url} is not a valid URL with the values of the environment`,
  header_invalid: () => 'a header is not valid with the values of the environment',
}

/** Why a webhook can never be sent as it is stored. */
const UNUSABLE = {
  method_unusable: ({ problem }: { problem: string }) => `The webhook’s method is invalid: ${problem}`,
  headers_unusable: ({ problem }: { problem: string }) => `The webhook’s headers are invalid: ${problem}`,
  template_unreadable: ({ problem }: { problem: string }) => `The webhook’s template is invalid: ${problem}`,
}

/** Why a webhook does not fire for a submission. */
const NOT_MATCHING = {
  rule_failed: ({ trace, names }: { trace: ConditionTrace | null; names?: ConditionNames }) =>
    trace === null ? 'the lead does not match the conditions' : explainTrace(trace, names),
  fallback_unused: () => 'another webhook sends this lead',
  condition_unreadable: ({ problem }: { problem: string }) => `the conditions are invalid: ${problem}`,
}

const SENTENCES = {
  ...BLOCKED,
  ...UNUSABLE,
  ...NOT_MATCHING,
  spam: () => 'The lead was marked as spam',
  webhook_deleted: () => 'The webhook was deleted',
  webhook_off: () => 'The webhook was turned off',
  by_hand: () => 'Canceled manually',
  form_deleted: () => 'The form of the lead was deleted',
  answers_unreadable: () => 'The answers of the lead can’t be read',
  test_failed: ({ message }: { message: string }) => `The test failed: ${message}`,
  gone: () => 'The receiver answered 410 (gone), so the webhook was turned off',
  attempts_failed: ({ attempts, message }: { attempts: number; message: string }) =>
    attempts === 1
      ? `The only attempt failed: ${message}`
      : `All ${attempts} attempts failed, last: ${message}`,
  unrecorded: () => 'An attempt could not be recorded. See the log of the server',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why a delivery was skipped, canceled or failed, or why it is still pending. */
export type DeliveryReason = MessageOf<typeof SENTENCES>
export type BlockedReason = MessageOf<typeof BLOCKED>
export type UnusableReason = MessageOf<typeof UNUSABLE>
export type NotMatchingReason = MessageOf<typeof NOT_MATCHING>
type RuleFailed = Extract<DeliveryReason, { code: 'rule_failed' }>

/** The sentence of a reason. */
export const describeReason = createMessages(SENTENCES)

export function isReasonCode(code: string): code is DeliveryReason['code'] {
  return Object.hasOwn(SENTENCES, code)
}

/** Why a delivery is in its state, as a person reads it; undefined when there is nothing to say. */
export function describeOutcome(
  { status, reason }: { status: string; reason: DeliveryReason | null },
  names?: ConditionNames,
): string | undefined {
  if (!reason) return undefined
  const named = reason.code === 'rule_failed' && names ? withNames(reason, names) : reason
  const sentence = describeReason(named)
  if (status === 'pending') return `Pending: ${sentence}`
  return status === 'skipped' ? `Not sent: ${sentence}` : sentence
}

function withNames({ code, params }: RuleFailed, names: ConditionNames): RuleFailed {
  return { code, params: { ...params, names } }
}

const DISABLED = {
  gone: () => 'the receiver answered 410 (gone)',
  always_failing: () => 'every attempt of the last five days failed',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why the program turned a webhook off. */
export type DisabledReason = MessageOf<typeof DISABLED>

/** The sentence of a reason, to follow a colon. */
export const describeDisabled = createMessages(DISABLED)
