import { createMessages, type MessageOf } from '../../lib/messages.ts'

const SENTENCES = {
  gone: () => 'The receiver answered 410 (gone)',
  always_failing: () => 'Every attempt of the last 5 days failed',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why the program switched a webhook off. */
export type DisabledReason = MessageOf<typeof SENTENCES>

/** The sentence of a reason. */
export const describeDisabled = createMessages(SENTENCES)

/** The reason in the columns of a webhook; null when a person switched it off, or it is on. */
export function readDisabledReason(row: {
  disabled_code: string | null
  disabled_text: string | null
}): DisabledReason | null {
  const { disabled_code: code, disabled_text: text } = row
  if (code === null) return null
  return code === 'gone' || code === 'always_failing'
    ? { code }
    : { code: 'other', params: { text: text ?? code } }
}
