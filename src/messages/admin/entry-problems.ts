import { MAX_SLUG_LENGTH } from '../../lib/slug.ts'
import { describeRule, type Rule, ruleSentence } from '../files/rules/rule.ts'

const EXPECTED = {
  text: 'Enter text.',
  textarea: 'Enter text.',
  number: 'Enter a number, such as 12 or 2.5.',
  boolean: 'Choose yes or no.',
  date: 'Enter the year, month, and day, as in 2026-11-20.',
  url: 'Enter a full URL that starts with https:// or http://.',
  list: 'Add at least one item.',
  picture: 'Choose a picture.',
  pictures: 'Choose at least one picture.',
}

type FieldType = keyof typeof EXPECTED

const SLUG_RULE = `up to ${MAX_SLUG_LENGTH} lowercase letters, digits, and hyphens`

/** Problems of an entry beside the rules of files. */
export const FAULTS_OF_ENTRIES_IN_ADMIN = {
  title_missing: () => 'Enter a title.',
  too_long: ({ max }: { max: number }) => `Use at most ${max.toLocaleString('en-US')} characters.`,
  field_missing: ({ label, type }: { label: string; type: FieldType }) =>
    `${label} is missing. ${EXPECTED[type]}`,
  field_invalid: ({ type }: { type: FieldType }) => EXPECTED[type],
  field_rule: ({ rule }: { rule: Rule }) => ruleSentence(rule),
  field_unknown: () => 'This value can’t be used here.',
  time_invalid: () => 'Enter a date and time, as in 2026-11-20T08:00.',
  time_too_early: () => 'The end must be later than the start.',
  redirect_invalid: ({ path, rule }: { path: string; rule: Rule }) =>
    `“${path}” can’t redirect here: ${describeRule(rule)}.`,
  redirects_many: ({ max }: { max: number }) => `Use at most ${max.toLocaleString('en-US')} redirects.`,
  redirect_taken: ({ path, owner, as }: { path: string; owner: string; as: string }) =>
    `“${path}” already redirects to “${owner}”${as === path ? '' : ` (entered there as “${as}”)`}. Remove that redirect first.`,
  entry_slug_missing: () => 'Enter an address, such as ac-repair.',
  entry_slug_invalid: () => `Use ${SLUG_RULE}.`,
  entry_slug_slashes: () => `Remove the slashes. Use ${SLUG_RULE}.`,
  entry_slug_parts: ({ parts, pattern }: { parts: number; pattern: string }) =>
    `Enter ${parts} parts separated by slashes, as in ${pattern}.`,
  entry_slug_taken: ({ slug }: { slug: string }) => `“${slug}” is already in use. Choose another.`,
  place_taken: () => 'This service already has a page in this place.',
  page_reserved: ({ path }: { path: string }) => `Signpost uses the address ${path}. Choose another.`,
  page_taken: ({ path, owner }: { path: string; owner: string }) =>
    `“${owner}” already has the address ${path}. Change one of the two addresses.`,
  no_form: ({ name }: { name: string }) => `The form “${name}” doesn’t exist.`,
  no_icon: ({ name, icons }: { name: string; icons: readonly string[] }) =>
    `The icon “${name}” doesn’t exist. Choose one of these: ${icons.join(', ')}.`,
  no_section: ({ name, sections }: { name: string; sections: readonly string[] }) =>
    `The section “${name}” doesn’t exist. Choose one of these: ${sections.join(', ')}.`,
  no_picture: ({ name }: { name: string }) =>
    `The picture “${name}” doesn’t exist. Upload the picture, or choose another.`,
  no_service: ({ name }: { name: string }) => `The service “${name}” doesn’t exist.`,
  no_place: ({ name }: { name: string }) => `The place “${name}” doesn’t exist.`,
  service_not_chosen: () => 'Choose a service.',
  testimonial_gone: () => 'One of the selected reviews was deleted. Choose the reviews again.',
  no_places: ({ patterns }: { patterns: readonly string[] }) =>
    `No place matches ${patterns.map((pattern) => `“${pattern}”`).join(', ')}. Enter lines such as austin, texas/*, texas/**, or “except austin”.`,
  term_unknown: ({ text, taxonomy }: { text: string; taxonomy: string }) =>
    `“${text}” is not in ${taxonomy}.`,
  term_ambiguous: ({ text, slugs }: { text: string; slugs: readonly string[] }) =>
    `“${text}” matches several places or categories. Enter one of these addresses: ${slugs.join(', ')}.`,
}

/** The fields that name something else. */
export const referenceTexts = {
  none: 'None',
  places: {
    label: 'Offered in',
    hint: 'One per line: austin, texas/* (one level), texas/** (all levels), or “except austin”.',
  },
}

/** The fields of reviews. */
export const reviewTexts = {
  author: { help: 'The name shown on the site. For example, Marisol G.' },
  place: { label: 'Customer’s location', help: 'For example, Hyde Park, Austin.' },
}

/** The pictures of pages and services. */
export const pictureTexts = {
  hero: { label: 'Hero picture', help: 'A large picture below the heading.' },
  text: {
    label: 'Picture above the text',
    help: 'Shown smaller than the hero picture.',
  },
  alt: {
    label: 'Picture description',
    help: 'What the picture above the text shows. Leave empty to use the library’s description.',
  },
  gallery: { label: 'Gallery', help: 'Shown in the Gallery section.' },
  before: { label: 'Before picture', help: 'Shown on the left in the Before and after section.' },
  after: { label: 'After picture', help: 'Shown on the right in the Before and after section.' },
}

/** The sections of pages. */
export const sectionLabels = {
  service_list: 'Services',
  steps: 'Steps',
  points: 'Reasons to choose you',
  before_after: 'Before and after',
  gallery: 'Gallery',
  reviews: 'Reviews',
  places: 'Places',
  faq: 'Questions and answers',
  nearby: 'Nearby places',
}

/** Hints of fields of the site's own sections. */
export const sectionHints = {
  needed: 'Required for this section to appear.',
}
