import type { AnswerProblem } from '../messages/visitor/answers.ts'
import type { FieldValidation } from './fields/field-validation.ts'

// No language puts more marks on one letter (UAX #15 §13). Sorting them takes quadratic time.
const MARKS_TOO_MANY = /(?<=\p{M}{30})\p{M}+/gu
const LINE_BREAKS = /\r\n|[\n\r\u2028\u2029\u0085\v\f]/g

/**
 * Cleans a one-line text: composed, line breaks and tabs become spaces, other control characters are removed,
 * ends are trimmed.
 */
export function cleanLine(text: string): string {
  return composeText(text)
    .replace(LINE_BREAKS, ' ')
    .replaceAll('\t', ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
}

/** Cleans a text like `cleanLine` but keeps line breaks, as `\n`. */
export function cleanLines(text: string): string {
  return composeText(text)
    .replace(LINE_BREAKS, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim()
}

/**
 * Returns whether the text can be stored as sent: no database holds half a surrogate pair, and PostgreSQL
 * doesn't hold NUL.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** Returns why the text is too short or too long, in code points, or undefined. */
export function lengthProblem(
  text: string,
  { min_length: min, max_length: max }: FieldValidation,
): AnswerProblem | undefined {
  const length = countCodePoints(text)
  if (min !== undefined && length < min) return { code: 'too_short', params: { min } }
  if (max !== undefined && length > max) return { code: 'too_long', params: { max } }
  return undefined
}

export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Returns the text in NFC, with at most 30 marks on one letter and no lone surrogates, which UTF-8 can't encode. */
export function composeText(text: string): string {
  return text.toWellFormed().replace(MARKS_TOO_MANY, '').normalize('NFC')
}

const TICKED = ['on', 'true', '1', 'yes']

/** Returns true for a text that ticks a box without options, as an answer or as the default one. */
export function isTicked(text: string): boolean {
  return TICKED.includes(cleanLine(text).toLowerCase())
}
