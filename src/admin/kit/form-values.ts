import { z } from 'zod'
import { formTexts } from '../../messages/admin/kit.ts'

/** A trimmed text; empty is a mistake. */
export const requiredText = (message: string, max = 200) =>
  z.string({ error: message }).trim().min(1, message).max(max, formTexts.maxCharacters(max))

/** A trimmed text; empty becomes null. */
export const optionalText = (max = 200) =>
  z
    .string()
    .trim()
    .max(max, formTexts.maxCharacters(max))
    .transform((text) => text || null)
    .nullish()
    .transform((text) => text ?? null)

/** An email address in lower case. */
export const emailAddress = requiredText(formTexts.emailMissing, 254)
  .toLowerCase()
  .pipe(z.email(formTexts.emailInvalid))

/** A checkbox: `on` or absent. */
export const checkbox = z
  .string()
  .optional()
  .transform((value) => value !== undefined)

/** The IDs selected in a list, at most a page of 500. */
export const chosenIds = z
  .array(
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  )
  .max(500)
  .default([])
