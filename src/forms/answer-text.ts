import type { FieldValidation } from './field-validation.ts'

const LINE_BREAKS = /\r\n|[\n\r\u2028\u2029\u0085\v\f]/g

/** One line: composed (NFC), line breaks and tabs become spaces, other control characters go, ends are trimmed. */
export function cleanLine(text: string): string {
  return compose(text)
    .replace(LINE_BREAKS, ' ')
    .replaceAll('\t', ' ')
    .replace(/\p{Cc}/gu, '')
    .trim()
}

/** As `cleanLine`, but line breaks stay, as `\n`. */
export function cleanLines(text: string): string {
  return compose(text)
    .replace(LINE_BREAKS, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim()
}

/** Why the text is too short or too long, counted in code points, or undefined. */
export function lengthProblem(text: string, { min_length, max_length }: FieldValidation): string | undefined {
  const length = countCodePoints(text)
  if (min_length !== undefined && length < min_length) return `Use at least ${characters(min_length)}`
  if (max_length !== undefined && length > max_length) return `Use at most ${characters(max_length)}`
  return undefined
}

export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

// Half a surrogate pair is no text: it cannot be written as UTF-8.
function compose(text: string): string {
  return text.toWellFormed().normalize('NFC')
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`
}
