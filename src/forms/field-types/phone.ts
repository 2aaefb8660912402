import { phoneExample } from '../../lib/locale/phone-number.ts'
import { cleanLine } from '../answer-text.ts'
import { textType } from './text-type.ts'

const MAX_LENGTH = 100
const MIN_DIGITS = 5
// E.164 allows 15 digits, plus an international prefix such as 00 or 011.
const MAX_DIGITS = 18

const EXTENSION = /[ ,;]*(?:ext(?:ension|n)?|x|#)[.:]? ?\p{Nd}{1,8}$/iu
// Digits of any script, spaces, dashes, dots, slashes, and parentheses; a plus sign only at the start.
const NUMBER = /^\(?[+＋]?[\p{Nd}\p{Zs}\p{Pd}().·/]+$/u

/** A phone number of any country, stored as typed. Refuses only what can't be a phone number. */
export const phone = textType({
  label: 'Phone number',
  use: 'From any country',
  clean: cleanLine,
  formatProblem: (text, { country }) =>
    text.length <= MAX_LENGTH && isPhoneNumber(text.replace(EXTENSION, ''))
      ? undefined
      : { code: 'not_a_phone_number', params: { example: phoneExample(country) } },
  control: { type: 'tel' },
  autofill: 'tel',
  sample: (_, { country }) => phoneExample(country),
  contact: 'phone',
  isShort: true,
})

function isPhoneNumber(text: string): boolean {
  const digits = text.match(/\p{Nd}/gu)?.length ?? 0
  return NUMBER.test(text) && digits >= MIN_DIGITS && digits <= MAX_DIGITS
}
