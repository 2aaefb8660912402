import { createMessages, type MessageOf } from '#src/lib/messages.ts'
import { type ConditionNames, type ConditionTrace, explainTrace } from './conditions.ts'

/** Why a webhook can't be sent now: a person has to provide something. */
const BLOCKED = {
  header_sealed: () => 'the current SECRET_KEY can’t decrypt one of the webhook’s headers',
  secret_sealed: () => 'the current SECRET_KEY can’t decrypt the signing secret',
  values_missing: ({ names }: { names: string }) => {
    const [are, them] = names.includes(',') ? ['are', 'them'] : ['is', 'it']
    return `${names} ${are} not set in the environment. Set ${them} there or in .env, and restart the server`
  },
  url_invalid: ({ url }: { url: string }) =>
    `${url} is not a valid URL with the current environment variables`,
  header_invalid: () => 'one of the webhook’s headers is not valid with the current environment variables',
}

/** Reasons why a stored webhook can never be sent. */
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
  form_deleted: () => 'The lead’s form was deleted',
  answers_unreadable: () => 'The lead’s answers can’t be read',
  test_failed: ({ message }: { message: string }) => `The test failed: ${message}`,
  gone: () => 'The receiver returned 410 (Gone), so the webhook was turned off',
  attempts_failed: ({ attempts, message }: { attempts: number; message: string }) =>
    attempts === 1
      ? `The only attempt failed: ${message}`
      : `All ${attempts} attempts failed. Last error: ${message}`,
  unrecorded: () => 'The last attempt could not be recorded, so retries stopped. See the server log',
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

const OF_DRY_RUN = {
  not_there: () => 'the webhook did not exist',
  off: () => 'the webhook is off',
}

/** Why a webhook would not have sent a lead, beside the reasons of deliveries. */
export type DryRunReason = MessageOf<typeof OF_DRY_RUN>

const describeDryRunReason = createMessages(OF_DRY_RUN)

/** The sentence of a reason in a dry run. */
export function describeDryRun(reason: DeliveryReason | DryRunReason, names?: ConditionNames): string {
  return isOfDryRun(reason) ? describeDryRunReason(reason) : describeReasonWith(reason, names)
}

function isOfDryRun(reason: DeliveryReason | DryRunReason): reason is DryRunReason {
  return Object.hasOwn(OF_DRY_RUN, reason.code)
}

/** The same with the names of questions and places. */
export function describeReasonWith(reason: DeliveryReason, names: ConditionNames = {}): string {
  if (reason.code !== 'rule_failed') return describeReason(reason)
  return describeReason({ code: reason.code, params: { ...reason.params, names } })
}

export function isReasonCode(code: string): code is DeliveryReason['code'] {
  return Object.hasOwn(SENTENCES, code)
}

/** Why a delivery is in its state, as a person reads it; undefined when there is nothing to say. */
export function describeOutcome(
  { status, reason }: { status: string; reason: DeliveryReason | null },
  names?: ConditionNames,
): string | undefined {
  if (!reason) return undefined
  const sentence = describeReasonWith(reason, names)
  if (status === 'pending') return `Pending: ${sentence}`
  return status === 'skipped' ? `Not sent: ${sentence}` : sentence
}

const DISABLED = {
  gone: () => 'the receiver returned 410 (Gone)',
  always_failing: () => 'every attempt in the last five days failed',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why the program turned a webhook off. */
export type DisabledReason = MessageOf<typeof DISABLED>

/** The sentence of a reason, to follow a colon. */
export const describeDisabled = createMessages(DISABLED)
