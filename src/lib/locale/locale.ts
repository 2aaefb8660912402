/** Country and language of a business, for numbers, dates and names on its pages. */
export interface Locale {
  /** ISO 3166-1 alpha-2, such as `IE`. */
  country: string
  /** BCP 47, such as `en-IE`. */
  language: string
  /** IANA, such as `Europe/Dublin`. */
  timeZone: string
}

export const DEFAULT_COUNTRY = 'US'
export const DEFAULT_LANGUAGE = 'en'

let known: string | undefined

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The locale, with defaults for the parts that are not set. */
export function localeOf(settings: {
  country?: string | undefined
  language?: string | undefined
  time_zone?: string | undefined
}): Locale {
  return {
    country: settings.country ?? DEFAULT_COUNTRY,
    language: settings.language ?? DEFAULT_LANGUAGE,
    timeZone: settings.time_zone ?? machineTimeZone(),
  }
}

/** The time zone of this machine, or UTC when it has none that `Intl` knows. */
export function machineTimeZone(): string {
  // Read once, because each of thousands of pages asks for it.
  known ??= zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone)
  return known
}

// With `TZ=Etc/Unknown`, V8 names a zone that it refuses itself.
function zoneOf(name: string | undefined): string {
  return name !== undefined && isTimeZone(name) ? name : 'UTC'
}

/** The tag in its usual spelling (`EN-ie` is `en-IE`), or undefined when it is not a language tag. */
export function toLanguageTag(text: string): string | undefined {
  const locale = parseTag(text)
  // Unknown languages of three letters may be rare; of two letters they are mistakes, such as `jp` for `ja`.
  const isLanguage = locale && (locale.language.length === 3 || languageNames.of(locale.language))
  return isLanguage ? locale.toString() : undefined
}

/** Returns whether `Intl` knows the time zone by this name. Offsets such as `+01:00` have no summer time and do not count. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The direction in which a language is written. */
export function textDirection(language: string): 'ltr' | 'rtl' {
  return new Intl.Locale(language).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr'
}

/**
 * Returns the locale in Open Graph's format, such as `en_IE`: a language without a region gets the region of the
 * country.
 */
export function openGraphLocale(language: string, country: string | null): string {
  const locale = new Intl.Locale(language)
  return `${locale.language}_${locale.region ?? country ?? locale.maximize().region}`
}

function parseTag(text: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(text)
  } catch {
    return undefined
  }
}
