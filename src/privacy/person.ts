import { z } from 'zod'
import { toNationalNumber } from '../lib/locale/phone-number.ts'

/** Search terms for a person; at least one of the three. */
export interface Person {
  /** Lower case. */
  email: string | null
  /** As typed, for the screen, and its digits. */
  phone: PersonPhone | null
  /** Such as a name. */
  text: string | null
  /** True if leads of other people that only mention the person are deleted too. */
  deletesMentions: boolean
}

export interface PersonPhone {
  shown: string
  /** Without the plus sign; empty if unknown. */
  countryCode: string
  /** Without leading zeros. */
  digits: string
}

/** The texts typed to find a person. */
export interface Asked {
  email?: string | null | undefined
  phone?: string | null | undefined
  text?: string | null | undefined
  deletesMentions?: boolean | undefined
}

type PersonProblem = 'nothing' | 'email' | 'phone' | 'text'

const MIN_DIGITS = 6
const MIN_TEXT = 3

const emailColumn = z.email()

/**
 * Parses the search terms; a phone number without a country code is read as a number of `country`. Returns the
 * invalid part, or `nothing` if all are empty.
 */
export function readPerson(asked: Asked, country: string): Person | PersonProblem {
  const [email, phone, text] = [asked.email, asked.phone, asked.text].map((one) => one?.trim() || null)
  if (!email && !phone && !text) return 'nothing'
  if (email && !emailColumn.safeParse(email).success) return 'email'
  const number = phone ? readPhone(phone, country) : null
  if (number === undefined) return 'phone'
  if (text && [...text].length < MIN_TEXT) return 'text'
  return {
    email: email?.toLowerCase() ?? null,
    phone: number,
    text: text ?? null,
    deletesMentions: asked.deletesMentions ?? false,
  }
}

/** Returns the text that must be typed to confirm: the email address, else the phone number, else the text. */
export function confirmationOf({ email, phone, text }: Person): string {
  return email ?? phone?.shown ?? text ?? ''
}

function readPhone(shown: string, country: string): PersonPhone | undefined {
  const national = toNationalNumber(shown, country)
  if (national) return { shown, ...national }
  // Numbers outside every numbering plan are searched by their digits.
  const digits = shown.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < MIN_DIGITS ? undefined : { shown, countryCode: '', digits }
}
