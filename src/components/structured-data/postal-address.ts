import type { PostalAddress } from 'schema-dts'

// The last line of an address in the United States: `Austin, TX 78744`.
const CITY_LINE = /^(.+),\s*([A-Z]{2})\s+(\d{5}(?:-\d{4})?)$/

/**
 * Splits a postal address if its format is known; otherwise all lines are the street. `country` is its ISO code,
 * null if unset.
 */
export function postalAddress(address: string, country: string | null): PostalAddress {
  const lines = addressLines(address)
  const [, addressLocality = '', addressRegion = '', postalCode = ''] =
    CITY_LINE.exec(lines.at(-1) ?? '') ?? []
  const streetAddress = lines.slice(0, -1).filter(hasNumber).join(', ')
  const isAmerican = (country ?? 'US') === 'US' && addressLocality !== '' && streetAddress !== ''
  if (!isAmerican) {
    const addressCountry = country ?? undefined
    return {
      '@type': 'PostalAddress',
      streetAddress: lines.join(', '),
      ...(addressCountry && { addressCountry }),
    }
  }
  return {
    '@type': 'PostalAddress',
    streetAddress,
    addressLocality,
    addressRegion,
    postalCode,
    addressCountry: 'US',
  }
}

/** Returns the same key for different spellings of a street and town, ignoring a name in front. */
export function addressKey(address: string): string {
  const lines = addressLines(address)
  const numbered = lines.filter(hasNumber)
  return (numbered.length > 0 ? numbered : lines)
    .join(' ')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}

function addressLines(address: string): string[] {
  return address
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

// The first line is often the name of the business.
function hasNumber(line: string) {
  return /\d/.test(line)
}
