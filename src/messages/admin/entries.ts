import { SLUG_RULE } from '../../lib/slug.ts'
import { describeRule, type Rule } from '../files/rules/rule.ts'

const EXPECTED = {
  text: 'Write some text.',
  textarea: 'Write some text.',
  number: 'Write a number, such as 12 or 2.5.',
  boolean: 'Choose yes or no.',
  date: 'Write a date as year, month and day, such as 2026-11-20.',
  url: 'Write a whole address that starts with https:// or http://.',
  list: 'Write at least one.',
}

type FieldType = keyof typeof EXPECTED

/** What is wrong with an entry beside the rules of files. */
export const FAULTS_OF_ENTRIES_IN_ADMIN = {
  title_missing: () => 'A title is needed.',
  too_long: ({ max }: { max: number }) => `Use at most ${max.toLocaleString('en')} characters.`,
  field_missing: ({ label, type }: { label: string; type: FieldType }) =>
    `${label} is needed. ${EXPECTED[type]}`,
  field_invalid: ({ type }: { type: FieldType }) => EXPECTED[type],
  field_unknown: () => 'This cannot be used here.',
  time_invalid: () => 'Write a date and a time, such as 2026-11-20T08:00.',
  time_too_early: () => 'The end has to be later than the beginning.',
  redirect_invalid: ({ path, rule }: { path: string; rule: Rule }) =>
    `"${path}" cannot lead here, ${describeRule(rule)}.`,
  redirects_many: ({ max }: { max: number }) => `Use at most ${max.toLocaleString('en')} former addresses.`,
  redirect_taken: ({ path, owner, as }: { path: string; owner: string; as: string }) =>
    `"${path}" already redirects to "${owner}"${as === path ? '' : `, as "${as}"`}. Remove it there first.`,
  entry_slug_missing: () => 'Enter a slug, such as ac-repair.',
  entry_slug_invalid: () => `Use ${SLUG_RULE}.`,
  entry_slug_slashes: () => `Leave out the slashes: use ${SLUG_RULE}.`,
  entry_slug_parts: ({ parts, pattern }: { parts: number; pattern: string }) =>
    `Write ${parts} parts with slashes between them, as in ${pattern}.`,
  entry_slug_taken: ({ slug, type }: { slug: string; type: string }) =>
    `Another entry of ${type} already has the slug "${slug}".`,
  place_taken: () => 'This service has a page in this place already.',
  page_reserved: ({ path }: { path: string }) => `Signpost uses the address ${path}. Choose another slug.`,
  page_taken: ({ path, owner }: { path: string; owner: string }) =>
    `"${owner}" already has the address ${path}. Change the slug of one of the two.`,
  no_form: ({ name }: { name: string }) => `There is no form "${name}".`,
  no_icon: ({ name, icons }: { name: string; icons: readonly string[] }) =>
    `There is no drawing "${name}". Choose one of: ${icons.join(', ')}.`,
  no_picture: ({ name }: { name: string }) =>
    `There is no picture "${name}". Choose one of the folder pictures/.`,
  no_service: ({ name }: { name: string }) => `There is no service "${name}".`,
  no_place: ({ name }: { name: string }) => `There is no place "${name}".`,
  service_not_chosen: () => 'Choose one of the services.',
  testimonial_gone: () => 'One of the testimonials is gone. Choose again.',
  no_places: ({ patterns }: { patterns: readonly string[] }) =>
    `No place fits ${patterns.map((pattern) => `"${pattern}"`).join(', ')}. Write lines such as austin, texas/*, texas/** or except austin.`,
  term_unknown: ({ text, taxonomy }: { text: string; taxonomy: string }) =>
    `"${text}" is not among ${taxonomy}.`,
  term_ambiguous: ({ text, slugs }: { text: string; slugs: readonly string[] }) =>
    `There are several called "${text}". Write one of: ${slugs.join(', ')}.`,
}
