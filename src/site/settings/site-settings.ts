import { z } from 'zod'
import { listSections, PAGE_SECTIONS, type PageKind } from '../../entries/types/page-sections.ts'
import { bareName, turnedOff } from '../../entries/types/read-order.ts'
import { filledText } from '../../lib/filled-text.ts'
import { isCountry } from '../../lib/locale/countries.ts'
import { DEFAULT_LANGUAGE, isTimeZone, toLanguageTag } from '../../lib/locale/locale.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'
import { siteTexts } from '../../messages/visitor/site.ts'
import { stageSettings } from '../../submissions/stages/stage-settings.ts'
import { BEST_SCORE, DEFAULT_THRESHOLD } from '../quality/page-quality.ts'
import { tagSettings } from '../tags/tag-settings.ts'
import { themeSettings } from '../theme/theme-settings.ts'
import { BUSINESS_TYPES } from './business-types.ts'
import { homeSectionFields } from './home-section-fields.ts'
import { field, shownSettings } from './setting-field.ts'

const text = filledText
const optionalText = filledText.nullable().default(null)
const path = z.string().regex(/^(\/(?![/\\])|https?:\/\/)/, rule('page_path'))
const url = z.string().regex(/^(https?:\/\/|mailto:|tel:)/, rule('https_address'))

// Optional without defaults: settings stored before these keys existed must not look edited to a sync.

const countryKey = z.string().toUpperCase().refine(isCountry, rule('country_code')).optional()

const languageKey = z
  .string()
  .refine((text) => toLanguageTag(text) !== undefined, rule('language_code'))
  .overwrite((text) => toLanguageTag(text) ?? text)
  .optional()

const timeZoneKey = z.string().refine(isTimeZone, rule('time_zone')).optional()

const title = field(text)
const longText = field(text, { lines: 2 })

const sectionList = (kind: PageKind) =>
  field(
    z
      .array(z.enum([...listSections(kind), ...listSections(kind).map(turnedOff)]))
      .refine((names) => new Set(names.map(bareName)).size === names.length, rule('named_once'))
      .optional(),
    { section: kind === 'home' ? 'home_sections' : 'sections', usual: PAGE_SECTIONS[kind] },
  )

const builtInHome = z.strictObject({
  /** Name of the site in search results, next to its name. Default: the tagline. */
  title: field(optionalText, { section: 'home_search' }),
  /** First heading of the home page. Default: the tagline. */
  heading: field(optionalText, { section: 'home_intro' }),
  /** Names of pictures. Optional, because older settings don't have these keys. */
  hero: field(text.optional(), { section: 'home_pictures', choices: 'pictures' }),
  gallery: field(z.array(text).optional(), { section: 'home_pictures', choices: 'pictures' }),
  before_picture: field(text.optional(), { section: 'home_pictures', choices: 'pictures' }),
  after_picture: field(text.optional(), { section: 'home_pictures', choices: 'pictures' }),
  /** One paragraph below the heading. */
  intro: field(optionalText, { section: 'home_intro', lines: 3 }),
  points: field(z.array(z.strictObject({ title, text: longText })).default([]), {
    section: 'home_texts',
  }),
  /** In order. */
  steps: field(z.array(z.strictObject({ title, text: longText })).default([]), {
    section: 'home_texts',
  }),
  /** Questions that visitors ask. */
  faq: field(
    z
      .array(
        z.strictObject({
          question: field(text),
          answer: field(text, { lines: 2 }),
        }),
      )
      .default([]),
    { section: 'home_texts' },
  ),
})

const home = builtInHome.extend(homeSectionFields(Object.keys(builtInHome.shape)))

/** `content/site.yaml` (contract §3): the business details shown on every page. Only `name` is required. */
export const siteSettings = z.strictObject({
  /** The business as visitors know it. */
  name: field(text, { section: 'business' }),
  /** File in `pictures/` shown instead of the first letter of the business's name. */
  // No default: settings stored before this key existed must not look edited to a sync.
  logo: field(text.optional(), {
    section: 'business',
    choices: 'pictures',
  }),
  /** The logo for dark backgrounds. */
  logo_dark: field(text.optional(), { section: 'business', choices: 'pictures' }),
  /** True if the logo contains the name, which is then not shown beside it. Default: judged by its shape. */
  logo_shows_name: field(z.boolean().optional(), { section: 'business' }),
  /** The picture for tabs and home screens. Default: the logo. */
  icon: field(text.optional(), { section: 'business', choices: 'pictures' }),
  /** One line that says what it does. */
  tagline: field(optionalText, {
    section: 'business',
  }),
  /** Kind of business, from https://schema.org/LocalBusiness. */
  business_type: field(z.enum(BUSINESS_TYPES).default('LocalBusiness'), {
    section: 'business',
  }),
  /** The main number, as displayed. */
  phone: field(optionalText, { section: 'contact', type: 'tel' }),
  email: field(z.email(rule('email_address')).nullable().default(null), {
    section: 'contact',
    type: 'email',
  }),
  /** More numbers, such as one for emergencies. */
  phones: field(z.array(z.strictObject({ label: field(text), number: field(text) })).optional(), {
    section: 'contact',
  }),
  /** Postal address, one line of text per line. */
  address: field(optionalText, { section: 'contact', lines: 4 }),
  /** Country of the business; used for phone numbers without a country code. */
  country: field(countryKey, {
    section: 'region',
    choices: 'countries',
  }),
  /** Time zone for all times not shown in a visitor's browser. */
  time_zone: field(timeZoneKey, {
    section: 'region',
    choices: 'time_zones',
  }),
  /** The language of the texts. */
  language: field(languageKey, {
    section: 'region',
    placeholder: DEFAULT_LANGUAGE,
  }),
  /** In the order shown, such as `Monday to Friday` and `7 am to 7 pm`. */
  opening_hours: field(z.array(z.strictObject({ days: field(text), hours: field(text) })).default([]), {
    section: 'hours',
  }),
  /** Links at the top of every page, in order. */
  navigation: field(z.array(z.strictObject({ label: field(text), path: field(path) })).default([]), {
    section: 'links',
  }),
  socials: field(z.array(z.strictObject({ label: field(text), url: field(url) })).default([]), {
    section: 'links',
  }),
  /** Slug of the form on pages whose entry names none. */
  default_form: field(optionalText, {
    section: 'pages',
    choices: 'forms',
  }),
  /**
   * True for a share picture for each service, or for each of its places listed by search engines; null means each
   * place, if there are at most 5,000.
   */
  share_pictures: field(z.enum(['service', 'place']).nullable().default(null), {
    section: 'pages',
  }),
  /**
   * From 0 to 100: local pages with a lower score ask search engines not to list them, because their text is too
   * similar to other places'. 0 lists every page.
   */
  quality_threshold: field(z.int().min(0).max(BEST_SCORE).default(DEFAULT_THRESHOLD), {
    section: 'pages',
  }),
  /** True if leads store the page, link, and ad that brought the visitor. Default: true. */
  attribution: field(z.boolean().optional(), {
    section: 'measuring',
  }),
  /** True if the activity log records who opens a lead. Default: false. */
  record_reading: field(z.boolean().optional(), { section: 'privacy' }),
  /** Stages of the work on leads. They have their own screen. */
  stages: stageSettings.optional(),
  /** Snippets of other services on every page. */
  tags: tagSettings.optional(),
  /**
   * The sections shown on each kind of page, in order. Kinds left out use the default sections. A hidden section with a
   * minus sign, such as `-faq`, keeps its place.
   */
  sections: z
    .strictObject({
      home: sectionList('home'),
      service: sectionList('service'),
      location_service: sectionList('location_service'),
    })
    .optional(),
  theme: themeSettings.prefault({}),
  home: home.prefault({}),
})

/** The settings in their column. Values of own sections may break a rule that their component got later. */
export const storedSiteSettings = siteSettings.extend({ home: z.looseObject(builtInHome.shape).prefault({}) })

export type SiteSettings = z.output<typeof siteSettings>

/** Settings of an unconfigured site. */
export const DEFAULT_SITE_SETTINGS: SiteSettings = siteSettings.parse({ name: siteTexts.unnamed })

/** The fields of the screens of the settings, in order. */
export const SHOWN_SETTINGS = shownSettings(siteSettings)

/** Settings that no page depends on. The change log leaves them out, too: see migration 0391. */
export const UNSHOWN_SETTINGS = ['stages', 'record_reading'] as const satisfies (keyof SiteSettings)[]

/** Settings that visitors never see. Pages have a script only with `attribution`. */
export const INTERNAL_SETTINGS = [
  ...UNSHOWN_SETTINGS,
  'attribution',
] as const satisfies (keyof SiteSettings)[]
