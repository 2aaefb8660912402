import { z } from 'zod'

/**
 * An optional text; null if missing. Whitespace alone counts as missing, because a page would show an empty
 * element.
 */
export function optionalText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .nullish()
    .transform((text) => (text?.trim() ? text : null))
}
