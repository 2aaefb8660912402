import { withSpaces } from '../../lib/words.ts'

/** Number of consecutive words compared as one. */
const SHINGLE_WORDS = 5
/** Shingles with fewer words between the blanks mean nothing: `in _ and _` appears everywhere. */
const REAL_WORDS = 3
/**
 * One in two shingles is kept, the same ones in every text, so that sketches can be compared: exact copies are
 * always found, and partial overlap is estimated.
 */
const KEPT_SHARE = 2

const NAME = 1
const NUMBER = 2

export interface Sketch {
  words: number
  /** The distinct hashes of the kept shingles. */
  hashes: Uint32Array
}

/**
 * Returns a text's words and its sketch. Names and numbers count as blanks, so that the same sentences with another
 * town and year are equal.
 */
export function sketchOf(text: string): Sketch {
  const words = hashesOfWords(withSpaces(text))
  const blanked = withoutRepeatedNames(words)
  const kept = new Set<number>()
  for (let end = SHINGLE_WORDS; end <= blanked.length; end++) {
    const shingle = hashOfShingle(blanked, end - SHINGLE_WORDS)
    if (shingle !== undefined && shingle % KEPT_SHARE === 0) kept.add(shingle)
  }
  return { words: words.length, hashes: Uint32Array.from(kept) }
}

// Scans character by character: a pattern takes five times as long, and this runs at every publish for each text.
function hashesOfWords(text: string): number[] {
  const words: number[] = []
  let hash = 0
  for (let index = 0; index <= text.length; index++) {
    const code = text.charCodeAt(index)
    if (isPartOfWord(code)) hash = hash === 0 ? startOfWord(code) : continued(hash, code)
    else if (hash !== 0) {
      words.push(hash)
      hash = 0
    }
  }
  return words
}

function startOfWord(code: number): number {
  if (isDigit(code)) return NUMBER
  return isLarge(code) ? NAME : continued(FNV_START, code)
}

const FNV_START = 0x811c9dc5

function continued(hash: number, code: number): number {
  if (hash === NAME || hash === NUMBER) return hash
  return isDigit(code) ? NUMBER : Math.imul(hash ^ code, 0x01000193) | 4
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

function isPartOfWord(code: number): boolean {
  if (code < 128)
    return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || isDigit(code) || code === 39
  // Letters of other alphabets, but not Latin-1 signs, punctuation, or symbols. NaN is the end.
  return (
    code >= 0xc0 && (code < 0x2000 || code >= 0x2c00 || code === 0x2019) && (code < 0x3000 || code > 0x303f)
  )
}

function isLarge(code: number): boolean {
  if (code < 128) return code >= 65 && code <= 90
  const letter = String.fromCharCode(code)
  return letter !== letter.toLowerCase()
}

// San Antonio is one blank, just like Waco.
function withoutRepeatedNames(words: readonly number[]): number[] {
  return words.filter((hash, index) => hash !== NAME || words[index - 1] !== NAME)
}

// Uses the finalizer of MurmurHash3, because the lowest bits of the sum aren't evenly spread. Undefined if there are
// only blanks.
function hashOfShingle(words: readonly number[], start: number): number | undefined {
  let hash = 0
  let real = 0
  for (let index = start; index < start + SHINGLE_WORDS; index++) {
    const word = words[index] as number
    if (word !== NAME && word !== NUMBER) real++
    hash = (Math.imul(hash ^ word, 0x5bd1e995) + 0x1b873593) | 0
  }
  if (real < REAL_WORDS) return undefined
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
