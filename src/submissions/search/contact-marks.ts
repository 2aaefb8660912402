import { createHash } from 'node:crypto'
import type { Answers } from '../../forms/form.ts'
import { MARK } from './mark.ts'

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/
// A number with and without its country code ends alike; shorter numbers are extensions or amounts.
const ALIKE_DIGITS = 7
const MAX_PHONE_CHARACTERS = 40
const HASH_CHARACTERS = 16

/** Returns an email address in the form that addresses are compared in; undefined for any other text. */
export function normalizeEmail(text: string): string | undefined {
  const plain = text.normalize('NFKC').trim().toLowerCase()
  return EMAIL.test(plain) ? plain : undefined
}

/** Returns the word that stands for an email address, which no text has. */
export function emailMark(email: string): string {
  return `${MARK}email${createHash('sha256').update(email).digest('hex').slice(0, HASH_CHARACTERS)}`
}

/**
 * Returns the word that stands for phone numbers with these last digits, in whatever format and country; undefined for a
 * text without enough digits. Other numbers may end alike.
 */
export function phoneMark(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  return digits.length < ALIKE_DIGITS ? undefined : `${MARK}phone${digits.slice(-ALIKE_DIGITS)}`
}

/** Returns the words that stand for the email addresses and phone numbers among answers. */
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
