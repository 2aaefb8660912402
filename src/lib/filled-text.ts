import { z } from 'zod'
import { isInvisible } from './characters.ts'

// The error is the code of a rule (`src/messages/files/rules`).
/** A text with something to read in it: a blank one leaves a gap on a page and a name that machines refuse. */
export const filledText = z.string().refine((text) => !isInvisible(text), { error: 'filled_text' })

/** The same, not longer than that. */
export function filledTextUpTo(max: number) {
  return filledText.max(max)
}
