import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { countOf } from '../plural.ts'

const SENTENCES = {
  decoy_filled: () => 'The hidden spam trap was filled in',
  sent_early: ({ seconds }: { seconds: number }) => `Sent ${seconds.toFixed(1)} s after the form was opened`,
  many_links: ({ links }: { links: number }) =>
    `${countOf(links, { one: 'link', other: 'links' })} in the text`,
  by_hand: () => 'Marked as spam manually',
  /** A sentence from before the codes. */
  other: ({ text }: { text: string }) => text,
}

/** Why a submission is spam. */
export type SpamReason = MessageOf<typeof SENTENCES>

/** The sentence of a reason. */
export const describeSpam = createMessages(SENTENCES)

export function isSpamCode(code: string): code is SpamReason['code'] {
  return Object.hasOwn(SENTENCES, code)
}
