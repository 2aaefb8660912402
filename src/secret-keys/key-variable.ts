import { z } from 'zod'
import { keyTexts } from '../messages/command-line/keys.ts'

export const SECRET_KEY_BYTES = 32

/** `SECRET_KEY`. */
export const secretKey = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === SECRET_KEY_BYTES)
  .describe(keyTexts.expected)

/** `SECRET_KEY_PREVIOUS`. */
export const previousSecretKey = secretKey.describe(keyTexts.previousExpected)

interface KeyVariables {
  SECRET_KEY?: Buffer | undefined
  SECRET_KEY_PREVIOUS?: Buffer | undefined
}

/** Returns whether a previous key, if there is one, is replaced by another. */
export function isReplaced({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous }: KeyVariables): boolean {
  return previous === undefined || (key !== undefined && !key.equals(previous))
}
