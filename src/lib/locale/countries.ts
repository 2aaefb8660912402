import { type CountryCode, getCountries } from 'libphonenumber-js/min'

const names = new Intl.DisplayNames('en', { type: 'region' })

/** The countries that can be called, by their English names. */
export const COUNTRIES: readonly { code: CountryCode; name: string }[] = getCountries()
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

const codes = new Set<string>(COUNTRIES.map(({ code }) => code))

/** Returns whether the text is the ISO 3166-1 alpha-2 code of a country that can be called. */
export function isCountry(text: string): text is CountryCode {
  return codes.has(text)
}
