import { getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { isCountry } from './countries.ts'
import { DEFAULT_COUNTRY } from './locale.ts'

const BETWEEN_NUMBERS = /[/|\n]/

/**
 * Returns the number as E.164 (`+353615550142`), without an extension; undefined unless the text is one number that can
 * be dialed. A number without a country code belongs to `country`.
 */
export function toDialable(text: string, country: string): string | undefined {
  const parts = text.split(BETWEEN_NUMBERS)
  // A slash may also follow an area code: `030/123456`.
  const isList = parts.length > 1 && parts.filter((part) => parseNumber(part, country)).length > 1
  return isList ? undefined : parseNumber(text, country)
}

/** Returns a mobile number of the country in international format, for messages. */
export function phoneExample(country: string): string {
  const known = isCountry(country) ? country : DEFAULT_COUNTRY
  return getExampleNumber(known, examples)?.formatInternational() ?? ''
}

/**
 * Returns the parts of a phone number as digits, without zeros in front; undefined unless the text is one number that
 * can be dialed.
 */
export function toNationalNumber(
  text: string,
  country: string,
): { countryCode: string; digits: string } | undefined {
  const dialable = toDialable(text, country)
  const number = dialable && parsePhoneNumberFromString(dialable)
  if (!number) return undefined
  return { countryCode: number.countryCallingCode, digits: number.nationalNumber.replace(/^0+/, '') }
}

function parseNumber(text: string, country: string): string | undefined {
  const defaultCountry = isCountry(country) ? country : DEFAULT_COUNTRY
  const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false })
  return number?.isValid() ? number.number : undefined
}
