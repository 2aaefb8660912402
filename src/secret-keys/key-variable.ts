import { z } from 'zod'

export const SECRET_KEY_BYTES = 32

/** `SECRET_KEY`. */
export const secretKey = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === SECRET_KEY_BYTES)
  .describe('32 bytes in base64; make one with: openssl rand -base64 32')

/** `SECRET_KEY_PREVIOUS`. */
export const previousSecretKey = secretKey.describe(
  'the key that SECRET_KEY replaces, 32 bytes in base64, and another SECRET_KEY beside it',
)

interface KeyVariables {
  SECRET_KEY?: Buffer | undefined
  SECRET_KEY_PREVIOUS?: Buffer | undefined
}

/** Whether a previous key, if there is one, is replaced by another. */
export function isReplaced({ SECRET_KEY: key, SECRET_KEY_PREVIOUS: previous }: KeyVariables): boolean {
  return previous === undefined || (key !== undefined && !key.equals(previous))
}
