import { createHash } from 'node:crypto'
import type { Answers } from '../../forms/form.ts'
import { MARK } from './mark.ts'

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/
// A number with and without its country code has the same last digits. Shorter numbers are extensions or amounts.
const ALIKE_DIGITS = 7
const MAX_PHONE_CHARACTERS = 40
const HASH_CHARACTERS = 16

/** Returns an email address normalized for comparison; undefined for any other text. */
export function normalizeEmail(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim().toLowerCase()
  return EMAIL.test(plain) ? plain : undefined
}

/** Returns the index word for an email address, which never occurs in text. */
export function emailMark(email: string): string {
  return `${MARK}email${createHash('sha256').update(email).digest('hex').slice(0, HASH_CHARACTERS)}`
}

/**
 * Returns the index word for phone numbers with these last digits, in any format and country; undefined for a text
 * without enough digits. Different numbers may share it.
 */
export function phoneMark(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  return digits.length < ALIKE_DIGITS ? undefined : `${MARK}phone${digits.slice(-ALIKE_DIGITS)}`
}

/** Returns the index words for the email addresses and phone numbers in answers. */
export function contactMarks(answers: Answers): string[] {
  return Object.values(answers).flatMap((answer) => {
    if (typeof answer !== 'string') return []
    const email = normalizeEmail(answer)
    if (email !== undefined) return emailMark(email)
    return isPhone(answer) ? (phoneMark(answer) ?? []) : []
  })
}

function isPhone(text: string): boolean {
  return text.length <= MAX_PHONE_CHARACTERS && !/\p{L}/u.test(text)
}
