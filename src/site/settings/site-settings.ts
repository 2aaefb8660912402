import { z } from 'zod'
import { filledText } from '../../lib/filled-text.ts'
import { isCountry } from '../../lib/locale/countries.ts'
import { DEFAULT_LANGUAGE, isTimeZone, toLanguageTag } from '../../lib/locale/locale.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'
import { BEST_SCORE, DEFAULT_THRESHOLD } from '../quality/page-quality.ts'
import { themeSettings } from '../theme/theme-settings.ts'
import { BUSINESS_TYPES } from './business-types.ts'
import { field, shownSettings } from './setting-field.ts'

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

const title = field(text, { label: 'Title' })
const longText = field(text, { label: 'Text', lines: 2 })

const home = z.strictObject({
  /** What search results call the site, beside its name; the tagline when there is none. */
  title: field(optionalText, {
    section: 'home',
    label: 'Title in search results',
    help: 'The tagline, if this is empty.',
  }),
  /** The first heading of the home page; the tagline when there is none. */
  heading: field(optionalText, { section: 'home', label: 'Heading', help: 'The tagline, if this is empty.' }),
  /** One paragraph below the heading. */
  intro: field(optionalText, { section: 'home', label: 'Introduction', lines: 3 }),
  points: field(z.array(z.strictObject({ title, text: longText })).default([]), {
    section: 'home',
    label: 'Reasons to choose you',
    row: 'reason',
  }),
  /** In order. */
  steps: field(z.array(z.strictObject({ title, text: longText })).default([]), {
    section: 'home',
    label: 'How it works',
    row: 'step',
  }),
  /** Questions that visitors ask. */
  faq: field(
    z
      .array(
        z.strictObject({
          question: field(text, { label: 'Question' }),
          answer: field(text, { label: 'Answer', lines: 2 }),
        }),
      )
      .default([]),
    { section: 'home', label: 'Questions', row: 'question' },
  ),
})

/** `content/site.yaml` (contract §3): what every page shows of the business. Only `name` is required. */
export const siteSettings = z.strictObject({
  /** The business as visitors know it. */
  name: field(text, { section: 'business', label: 'Name' }),
  /** File of `pictures/` that stands for the business in place of the drawn flower. */
  // Without a default: settings that were stored before this key have none, and must not look edited to a sync.
  logo: field(text.optional(), {
    section: 'business',
    label: 'Logo',
    help: 'A file of pictures/ in the content folder, readable on light and dark backgrounds.',
    choices: 'pictures',
    none: 'The drawn flower',
  }),
  /** One line that says what it does. */
  tagline: field(optionalText, {
    section: 'business',
    label: 'Tagline',
    help: 'One line that says what you do.',
  }),
  /** What kind of business it is, as https://schema.org/LocalBusiness names it. */
  business_type: field(z.enum(BUSINESS_TYPES).default('LocalBusiness'), {
    section: 'business',
    label: 'Kind of business',
  }),
  /** The main number, as it is shown. */
  phone: field(optionalText, { section: 'contact', label: 'Phone', type: 'tel' }),
  email: field(z.email(rule('email_address')).nullable().default(null), {
    section: 'contact',
    label: 'Email address',
    type: 'email',
  }),
  /** Further numbers, such as one for emergencies. */
  phones: field(
    z
      .array(
        z.strictObject({ label: field(text, { label: 'Label' }), number: field(text, { label: 'Number' }) }),
      )
      .optional(),
    {
      section: 'contact',
      label: 'More phone numbers',
      help: 'Such as a number for emergencies. Shown in the footer and beside the opening hours.',
      row: 'number',
    },
  ),
  /** Postal address, one line of text per line. */
  address: field(optionalText, { section: 'contact', label: 'Postal address', lines: 4 }),
  /** Where the business works; phone numbers without a country code are numbers of this country. */
  country: field(countryKey, {
    section: 'region',
    label: 'Country',
    help: 'Phone numbers without a country code belong to this country.',
    choices: 'countries',
  }),
  /** The zone of every time that is not in a visitor's browser. */
  time_zone: field(timeZoneKey, {
    section: 'region',
    label: 'Time zone',
    help: 'For times in emails, exports, and the admin.',
    choices: 'time_zones',
  }),
  /** The language of the texts. */
  language: field(languageKey, {
    section: 'region',
    label: 'Language',
    help: 'The code of the language you write in, such as en, en-IE, or ja.',
    placeholder: DEFAULT_LANGUAGE,
  }),
  /** In the order shown, such as `Monday to Friday` and `7 am to 7 pm`. */
  opening_hours: field(
    z
      .array(z.strictObject({ days: field(text, { label: 'Days' }), hours: field(text, { label: 'Hours' }) }))
      .default([]),
    {
      section: 'hours',
      label: 'Days and hours',
      help: 'Such as Monday to Friday, 7 am to 7 pm.',
      row: 'line',
    },
  ),
  /** Links at the top of every page, in order. */
  navigation: field(
    z
      .array(
        z.strictObject({ label: field(text, { label: 'Text' }), path: field(path, { label: 'Address' }) }),
      )
      .default([]),
    { section: 'links', label: 'Navigation', help: 'A path such as /about, or a full address.', row: 'link' },
  ),
  socials: field(
    z
      .array(z.strictObject({ label: field(text, { label: 'Name' }), url: field(url, { label: 'Address' }) }))
      .default([]),
    {
      section: 'links',
      label: 'Social networks',
      help: 'Addresses that start with https://.',
      row: 'link',
    },
  ),
  /** Slug of the form on pages whose entry names none. */
  default_form: field(optionalText, {
    section: 'pages',
    label: 'Default form',
    help: 'On pages that don’t choose a form.',
    choices: 'forms',
    none: 'None',
  }),
  /**
   * Whether each service has a picture for where its pages are shared, or each of its places that search engines may
   * list; null means each place, as long as there are no more than 5,000.
   */
  share_pictures: field(z.enum(['service', 'place']).nullable().default(null), {
    section: 'pages',
    label: 'Share pictures',
    help: 'Drawn for links to your pages in messages and social networks.',
    choices: { place: 'For each place, however many', service: 'For each service' },
    none: 'For each place (up to 5,000)',
  }),
  /**
   * From 0 to 100: a location page whose score is lower asks search engines not to list it, because it says what the
   * pages of other places say too. 0 lists every page.
   */
  quality_threshold: field(z.int().min(0).max(BEST_SCORE).default(DEFAULT_THRESHOLD), {
    section: 'pages',
    label: 'Quality threshold',
    help: '0 to 100. Pages with a lower score ask search engines not to list them; 0 lists every page.',
  }),
  /** Whether leads keep which page, link and ad brought their visitor; they do when nobody said. */
  attribution: field(z.boolean().optional(), {
    section: 'measuring',
    label: 'Where leads come from',
    help: 'Kept without cookies. Visitors who opt out of tracking are left out.',
    choices: { true: 'On', false: 'Off' },
    none: 'On (default)',
  }),
  theme: themeSettings.prefault({}),
  home: home.prefault({}),
})

export type SiteSettings = z.output<typeof siteSettings>

/** What an unconfigured site is called. */
export const DEFAULT_SITE_SETTINGS: SiteSettings = siteSettings.parse({ name: 'My business' })

/** The fields of the screen of settings, in their order. */
export const SHOWN_SETTINGS = shownSettings(siteSettings)
