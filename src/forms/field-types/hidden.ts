import { countCodePoints } from '../answer-text.ts'
import { textRule } from './field-type.ts'

const MAX_LENGTH = 2_000

/** A text that the page sends along, stored as it came. */
export const hidden = textRule({
  clean: (text) => text.toWellFormed(),
  formatProblem: (text) =>
    countCodePoints(text) > MAX_LENGTH ? `Use at most ${MAX_LENGTH} characters` : undefined,
})
