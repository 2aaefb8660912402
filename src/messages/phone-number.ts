import { phoneExample } from '../lib/locale/phone-number.ts'

/** Says what to enter for a number that can’t be dialed; it follows "Enter" or "expected". */
export function dialableNumber(country: string): string {
  return `one valid phone number, such as ${phoneExample(country)}`
}
