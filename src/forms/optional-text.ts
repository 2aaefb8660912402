import { z } from 'zod'

/** A text that may be left out, which is null then. Blanks alone say nothing: a page would show an empty element. */
export function optionalText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .nullish()
    .transform((text) => (text?.trim() ? text : null))
}
