import { diffWordsWithSpace } from 'diff'

/** A part of a comparison of two texts. */
export interface TextPart {
  change: 'same' | 'added' | 'removed'
  text: string
}

// If texts differ more than this, words they share by chance would only distract.
const MAX_CHANGES = 2_000
const LONG = 60

/** Returns the words that differ between two texts; undefined if they are easier to read side by side. */
export function diffTexts(before: string, after: string): TextPart[] | undefined {
  if (before === '' || after === '' || (before.length < LONG && after.length < LONG)) return undefined
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_CHANGES, timeout: 200 })
  return parts?.map(({ added, removed, value }) => ({
    change: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}
