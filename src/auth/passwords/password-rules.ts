import type { AdminProblem } from '../../messages/admin/problems.ts'
import { judge } from './guesses-thread.ts'

const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 128
/** At this number of guesses, cracking a hash offline takes years; zxcvbn calls such a password very unguessable. */
export const MIN_GUESSES_LOG10 = 10

/**
 * Returns the problem with a new password, or undefined. Any mix of characters is allowed; only the number of
 * guesses counts. `own` lists texts an attacker may know, such as the email address.
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

/** Returns what an attacker would try from a text: the text, its words, and all words joined. */
export function wordsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length >= 3)
  return [text, words.join(''), ...words]
}
