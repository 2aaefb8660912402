import { z } from 'zod'
import { filledText } from '../../lib/filled-text.ts'
import { isCountry } from '../../lib/locale/countries.ts'
import { isTimeZone, toLanguageTag } from '../../lib/locale/locale.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'
import { BEST_SCORE, DEFAULT_THRESHOLD } from '../quality/page-quality.ts'
import { themeSettings } from '../theme/theme-settings.ts'
import { BUSINESS_TYPES } from './business-types.ts'

const text = filledText
const optionalText = filledText.nullable().default(null)
const path = z.string().regex(/^(\/(?![/\\])|https?:\/\/)/, rule('page_path'))
const url = z.string().regex(/^(https?:\/\/|mailto:|tel:)/, rule('https_address'))

// Optional, without defaults: settings stored before these keys have none and must not look edited to a sync.

const countryKey = z.string().toUpperCase().refine(isCountry, rule('country_code')).optional()

const languageKey = z
  .string()
  .refine((text) => toLanguageTag(text) !== undefined, rule('language_code'))
  .overwrite((text) => toLanguageTag(text) ?? text)
  .optional()

const timeZoneKey = z.string().refine(isTimeZone, rule('time_zone')).optional()

const home = z.strictObject({
  /** What search results call the site, beside its name; the tagline when there is none. */
  title: optionalText,
  /** The first heading of the home page; the tagline when there is none. */
  heading: optionalText,
  /** One paragraph below the heading. */
  intro: optionalText,
  /** Reasons to choose the business. */
  points: z.array(z.strictObject({ title: text, text })).default([]),
  /** How it works, in order. */
  steps: z.array(z.strictObject({ title: text, text })).default([]),
  /** Questions that visitors ask. */
  faq: z.array(z.strictObject({ question: text, answer: text })).default([]),
})

/** `content/site.yaml` (contract §3): what every page shows of the business. Only `name` is required. */
export const siteSettings = z.strictObject({
  /** The business as visitors know it. */
  name: text,
  /** File of `pictures/` that stands for the business in place of the drawn flower. */
  // Without a default: settings that were stored before this key have none, and must not look edited to a sync.
  logo: filledText.optional(),
  /** One line that says what it does. */
  tagline: optionalText,
  /** Where the business works; phone numbers without a country code are numbers of this country. */
  country: countryKey,
  /** The language of the texts. */
  language: languageKey,
  /** The zone of every time that is not in a visitor's browser. */
  time_zone: timeZoneKey,
  /** The main number, as it is shown. */
  phone: optionalText,
  /** Further numbers, such as one for emergencies. */
  phones: z.array(z.strictObject({ label: text, number: text })).optional(),
  email: z.email(rule('email_address')).nullable().default(null),
  /** What kind of business it is, as https://schema.org/LocalBusiness names it. */
  business_type: z.enum(BUSINESS_TYPES).default('LocalBusiness'),
  /** Postal address, one line of text per line. */
  address: optionalText,
  /** In the order shown, such as `Monday to Friday` and `7 am to 7 pm`. */
  opening_hours: z.array(z.strictObject({ days: text, hours: text })).default([]),
  socials: z.array(z.strictObject({ label: text, url })).default([]),
  /** Links at the top of every page, in order. */
  navigation: z.array(z.strictObject({ label: text, path })).default([]),
  theme: themeSettings.prefault({}),
  /** Slug of the form on pages whose entry names none. */
  default_form: optionalText,
  /**
   * From 0 to 100: a location page whose score is lower asks search engines not to list it, because it says what the
   * pages of other places say too. 0 lists every page.
   */
  quality_threshold: z.int().min(0).max(BEST_SCORE).default(DEFAULT_THRESHOLD),
  /**
   * Whether each service has a picture for where its pages are shared, or each of its places that search engines may
   * list; null means each place, as long as there are no more than 5,000.
   */
  share_pictures: z.enum(['service', 'place']).nullable().default(null),
  home: home.prefault({}),
})

export type SiteSettings = z.output<typeof siteSettings>

/** What an unconfigured site is called. */
export const DEFAULT_SITE_SETTINGS: SiteSettings = siteSettings.parse({ name: 'My business' })
