import { z } from 'zod'
import { isInvisible } from './characters.ts'

// The error is the code of a rule (`src/messages/files/rules`).
/** A text that is not blank: a blank one leaves a gap on a page and is a name that machines refuse. */
export const filledText = z.string().refine((text) => !isInvisible(text), { error: 'filled_text' })

/** The same with a maximum length. */
export function filledTextUpTo(max: number) {
  return filledText.max(max)
}
