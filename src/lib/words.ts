const WORD = /[\p{L}\p{N}]+/gu
// Thai, Lao, Burmese, Khmer, Japanese and Chinese are written without spaces between words; Korean is not.
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/

// The script of a text selects the dictionary for its words, so any language gives the same result.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Returns whether a text has words without spaces between them. */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/**
 * The text with a space between words, and without punctuation, if its script has no spaces. Finding words takes eight
 * times as long as counting spaces (28 against 3.5 µs for 100 English words), so other texts stay unchanged.
 */
export function withSpaces(text: string): string {
  if (!isUnspaced(text)) return text
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment)
  return words.join(' ')
}

/** The words of a text without spaces, each with the punctuation that follows it: a line may begin with any of them. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const opens = /[(\p{Ps}\p{Pi}]$/u.test(words.at(-1) ?? '')
    if ((isWordLike && !opens) || words.length === 0) words.push(segment)
    else words[words.length - 1] += segment
  }
  return words
}

/** Counts the words of a text. */
export function countWords(text: string): number {
  return withSpaces(text).match(WORD)?.length ?? 0
}

/** The text up to its last whole word within this number of characters; never half a character, such as an emoji. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text
  const start = text.slice(0, length).replace(/\p{Cs}$/u, '')
  if (!isUnspaced(text)) return start.replace(/\s+\S*$/, '')
  const { index } = segmenter.segment(text).containing(start.length) ?? { index: start.length }
  return text.slice(0, index > 0 ? index : start.length).trimEnd()
}
