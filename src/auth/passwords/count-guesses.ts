import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

/** A password to judge. */
export interface JudgedPassword {
  password: string
  /** Words an attacker may know, such as the user's name. */
  own: readonly string[]
}

/** The time grows with the square of the length: 200 ms at this length, seconds at 128. */
const JUDGED_AT_ONCE = 32

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
})

/**
 * Returns the base-10 logarithm of the number of guesses a password takes. A long password is rated by the
 * better of its two ends, so a short text repeated many times stays weak.
 */
export function countGuesses({ password, own }: JudgedPassword): number {
  const ends = [password.slice(0, JUDGED_AT_ONCE), password.slice(-JUDGED_AT_ONCE)]
  return Math.max(...ends.map((end) => zxcvbn.check(end, [...own, 'signpost']).guessesLog10))
}
