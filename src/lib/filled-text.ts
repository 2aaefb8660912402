import { z } from 'zod'

/** A text with something to read in it: a blank one leaves a gap on a page and a name that machines refuse. */
export const filledText = z.string().regex(/\S/, 'expected text')
