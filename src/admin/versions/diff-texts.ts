import { diffWordsWithSpace } from 'diff'

/** A piece of two texts. */
export interface TextPart {
  change: 'same' | 'added' | 'removed'
  text: string
}

// Of texts that differ more, the words that happen to be the same would only be in the way.
const MAX_CHANGES = 2_000
const LONG = 60

/** The words that differ between two texts; undefined where both are easier to read side by side. */
export function diffTexts(before: string, after: string): TextPart[] | undefined {
  if (before === '' || after === '' || (before.length < LONG && after.length < LONG)) return undefined
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_CHANGES, timeout: 200 })
  return parts?.map(({ added, removed, value }) => ({
    change: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }))
}
