import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import * as common from '@zxcvbn-ts/language-common'
import * as english from '@zxcvbn-ts/language-en'

/** A password to judge. */
export interface JudgedPassword {
  password: string
  /** Words that a guesser knows too, such as the name of its owner. */
  own: readonly string[]
}

/** The time grows with the square of the length: 200 ms for these, seconds for 128. */
const JUDGED_AT_ONCE = 32

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
})

/**
 * Returns the logarithm (base 10) of the guesses that a password takes. A long one is as good as the better of its
 * ends: a short text many times over is weak at both.
 */
export function countGuesses({ password, own }: JudgedPassword): number {
  const ends = [password.slice(0, JUDGED_AT_ONCE), password.slice(-JUDGED_AT_ONCE)]
  return Math.max(...ends.map((end) => zxcvbn.check(end, [...own, 'signpost']).guessesLog10))
}
