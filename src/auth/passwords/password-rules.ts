import type { AdminProblem } from '../../messages/admin/problems.ts'
import { judge } from './guesses-thread.ts'

const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 128
/** Offline guessing of a password hashed as ours takes years at this number; zxcvbn calls such a password very unguessable. */
export const MIN_GUESSES_LOG10 = 10

/**
 * Returns what is wrong with a new password; undefined when it is good. Any composition is allowed; what
 * counts is the number of guesses it takes. `own` are texts that a guesser knows, such as the email address.
 */
export async function findPasswordMistake(
  password: string,
  own: readonly string[] = [],
): Promise<AdminProblem | undefined> {
  const { length } = [...password]
  const path = ['password']
  if (length < MIN_CHARACTERS) return { path, code: 'password_short', params: { min: MIN_CHARACTERS } }
  if (length > MAX_CHARACTERS) return { path, code: 'password_long', params: { max: MAX_CHARACTERS } }
  const guesses = await judge({ password, own: own.flatMap(wordsOf) })
  return guesses < MIN_GUESSES_LOG10 ? { path, code: 'password_common' } : undefined
}

/** Returns what a guesser would try of a text: itself, its words, and all words at once. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= 3)
  return [text, words.join(''), ...words]
}
