import { sectionLabels } from '../entry-problems.ts'
/** Texts of a setting, or of a part of a list's rows, on the settings screen. */
export interface SettingTexts {
  label: string
  hint?: string
  /** The empty choice. */
  none?: string
  /** Name of a row of a list. */
  row?: string
  /** Labels of its values. */
  choices?: Readonly<Record<string, string>>
}

/** Labels of the colors by their roles. */
export const PALETTE = {
  background: 'Background',
  surface: 'Cards and inputs',
  line: 'Borders',
  text: 'Text',
  muted: 'Muted text',
  primary: 'Buttons and links',
  on_primary: 'Text on buttons',
  accent: 'Highlights',
  on_accent: 'Text on highlights',
  band: 'Header band',
  on_band: 'Text on band',
  positive: 'Success',
  negative: 'Errors',
}

const palette = (prefix: string): Record<string, SettingTexts> =>
  Object.fromEntries(Object.entries(PALETTE).map(([role, label]) => [prefix + role, { label }]))

/** The texts of settings by their key in `content/site.yaml`; one without is called like its key. */
export const settingTexts: Readonly<Record<string, SettingTexts>> = {
  name: { label: 'Name' },
  logo: { label: 'Logo', hint: 'Shown at the top of every page. Leave empty for the default logo.' },
  logo_dark: {
    label: 'Logo for dark backgrounds',
    hint: 'Shown in the footer, and at the top in dark mode.',
  },
  logo_shows_name: {
    label: 'Name next to logo',
    none: 'Automatic, based on the logo’s shape',
    choices: { true: 'Hide (the logo includes the name)', false: 'Show next to the logo' },
  },
  icon: {
    label: 'Icon',
    hint: 'A square picture for tabs and phones. Leave empty to use the logo.',
  },
  tagline: { label: 'Tagline', hint: 'One line that says what you do.' },
  business_type: { label: 'Business type' },
  phone: { label: 'Phone' },
  email: { label: 'Email address' },
  phones: {
    label: 'More phone numbers',
    hint: 'For example, an emergency line. Shown in the footer and near the opening hours.',
    row: 'number',
  },
  'phones.label': { label: 'Label' },
  'phones.number': { label: 'Number' },
  address: { label: 'Mailing address' },
  country: { label: 'Country', hint: 'Used for phone numbers without a country code.' },
  time_zone: {
    label: 'Time zone',
    hint: 'Used for times in the admin, emails, and exports, and for the days of results.',
  },
  language: { label: 'Language', hint: 'Your content’s language code, such as en, en-IE, or ja.' },
  opening_hours: {
    label: 'Days and hours',
    hint: 'For example, Monday to Friday, 7 am to 7 pm.',
    row: 'line',
  },
  'opening_hours.days': { label: 'Days' },
  'opening_hours.hours': { label: 'Hours' },
  navigation: { label: 'Navigation', hint: 'Enter a path such as /about, or a full URL.', row: 'link' },
  'navigation.label': { label: 'Text' },
  'navigation.path': { label: 'URL' },
  socials: { label: 'Social networks', hint: 'Enter URLs that start with https://.', row: 'link' },
  'socials.label': { label: 'Name' },
  'socials.url': { label: 'URL' },
  default_form: { label: 'Default form', hint: 'Used for services without their own form.', none: 'None' },
  share_pictures: {
    label: 'Pictures for shared links',
    hint: 'Shown with links to your pages in messages and on social networks.',
    none: 'One per place (up to 5,000)',
    choices: { service: 'One per service', place: 'One per place (no limit)' },
  },
  quality_threshold: {
    label: 'Quality threshold',
    hint: 'From 0 to 100. Search engines don’t list local pages with a lower score.',
  },
  attribution: {
    label: 'Lead sources',
    hint: 'Records lead sources without cookies. Skips visitors who opt out of tracking.',
    none: 'On (default)',
    choices: { true: 'On', false: 'Off' },
  },
  record_reading: {
    label: 'Record who reads leads',
    hint: 'Adds an activity entry whenever someone opens a lead.',
    none: 'Off (default)',
    choices: { true: 'On', false: 'Off' },
  },
  'tags.head': {
    label: 'Tags in the head',
    hint: 'HTML from other services. Their scripts can read what visitors type.',
  },
  'tags.body': { label: 'Tags in the body', hint: 'Only add code that you trust.' },
  'tags.origins': {
    label: 'Additional allowed origins',
    hint: 'Tags can also load from these origins, such as https://*.example.com.',
    row: 'origin',
  },
  'tags.origins.origin': { label: 'Origin' },
  'theme.preset': { label: 'Theme' },
  'theme.fonts': { label: 'Fonts', none: 'Theme fonts' },
  'theme.radius': { label: 'Corner radius', hint: 'The radius of card corners, from 0 to 32 pixels.' },
  ...palette('theme.colors.'),
  ...palette('theme.dark_colors.'),
  'sections.home': { label: 'Home page' },
  'sections.service': { label: 'Service pages' },
  'sections.location_service': { label: 'Local pages' },
  'home.title': { label: 'Title in search results', hint: 'Leave empty to use the tagline.' },
  'home.heading': { label: 'Heading', hint: 'Leave empty to use the tagline.' },
  'home.intro': { label: 'Introduction' },
  'home.hero': { label: 'Hero picture', hint: 'A large picture below the heading.' },
  'home.gallery': { label: 'Gallery' },
  'home.before_picture': {
    label: 'Before picture',
    hint: 'Shown once you choose both a before picture and an after picture.',
  },
  'home.after_picture': { label: 'After picture' },
  'home.points': { label: 'Reasons to choose you', row: 'reason' },
  'home.points.title': { label: 'Title' },
  'home.points.text': { label: 'Text' },
  'home.steps': { label: sectionLabels.steps, row: 'step' },
  'home.steps.title': { label: 'Title' },
  'home.steps.text': { label: 'Text' },
  'home.faq': { label: sectionLabels.faq, row: 'question' },
  'home.faq.question': { label: 'Question' },
  'home.faq.answer': { label: 'Answer' },
}
