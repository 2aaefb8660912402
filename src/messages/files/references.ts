import { dialableNumber } from '../phone-number.ts'
import { type Choices, expectedOneOf } from './reading.ts'

const HEADER_VALUE = `expected \${NAME}, with its value in the environment`

/** Problems with what files name. */
export const FAULTS_OF_REFERENCES = {
  file_unknown: ({ kind, slug, choices }: { kind: string; slug: string; choices: Choices }) =>
    `unknown ${kind} "${slug}", ${expectedOneOf(choices)}`,
  taxonomy_unknown: ({ slug, choices }: { slug: string; choices: Choices }) =>
    `unknown taxonomy "${slug}", ${expectedOneOf(choices)}`,
  term_unknown: ({ slug, taxonomy }: { slug: string; taxonomy: string }) =>
    `unknown term "${slug}" in ${taxonomy}, expected a slug from taxonomies/${taxonomy}.yaml`,
  name_former: ({ slug, now }: { slug: string; now: string }) =>
    `"${slug}" was renamed, expected its new slug "${now}"`,
  picture_unknown: ({ name, choices }: { name: string; choices: Choices }) =>
    `unknown picture "${name}", ${expectedOneOf(choices)} in pictures/`,
  taxonomy_of_pages: ({ taxonomy, type }: { taxonomy: string; type: string }) =>
    `${taxonomy} applies to all types with pages, but ${type} has no pages, expected ${type} in the taxonomy’s applies_to`,
  taxonomy_of_others: ({ taxonomy, type, types }: { taxonomy: string; type: string; types: string[] }) =>
    `${taxonomy} does not apply to ${type} (only to ${types.join(', ')}), expected another taxonomy`,
  former_address_shared: ({ from, others }: { from: string; others: readonly string[] }) =>
    `${from} also redirects to ${others.join(', ')}, expected each address in one file only`,
  places_unknown: ({ pattern }: { pattern: string }) =>
    `"${pattern}" is not a valid pattern, expected a pattern such as austin, texas/*, texas/**, or except austin`,
  undialable: ({ name, number, country }: { name: string; number: string; country: string }) =>
    `${name} is ${JSON.stringify(number)}, expected ${dialableNumber(country)}`,
  page_missing: ({ path }: { path: string }) => `the link points to ${path}, which is not a public page`,
  partial_unknown: ({ name, partials }: { name: string; partials: readonly string[] }) =>
    `unknown partial "${name}", so entry_detail renders these pages; expected one of: ${partials.join(', ')}`,
  stage_in_use: ({ slug }: { slug: string }) =>
    `the stage ${slug} still has leads, expected this slug in stages, or in another stage’s replaces`,
  form_inactive: ({ slug }: { slug: string }) => `the form ${slug} is not active, so no page shows it`,
  shown_unknown: ({ key, name }: { key: string; name: string }) =>
    `unknown ${key} "${name}", so the page shows none`,
}

/** Problems with secrets that files leave to the database. */
export const FAULTS_OF_SECRETS = {
  secret_of_other_origin: ({ webhook, origin }: { webhook: string; origin: string }) =>
    `the signing secret of webhook "${webhook}" is stored for ${origin} and can't be sent elsewhere, expected signing_secret: \${NAME}, or null for none`,
  header_not_stored: ({ webhook, header, dots }: { webhook: string; header: string; dots: string }) =>
    `${dots} keeps the stored ${header}, but webhook "${webhook}" has none, ${HEADER_VALUE}`,
  header_of_other_origin: ({ webhook, header, origin }: Record<'webhook' | 'header' | 'origin', string>) =>
    `the ${header} of webhook "${webhook}" is stored for ${origin} and can't be sent elsewhere, ${HEADER_VALUE}`,
}

/** Problems with the files of `pictures/` and with pictures in texts. */
export const FAULTS_OF_PICTURES = {
  pictures_unreadable: ({ error }: { error: string }) =>
    `the folder cannot be read (${error}), expected a folder of pictures`,
  picture_name_long: ({ max }: { max: number }) =>
    `the file name is too long, expected at most ${max} characters`,
  picture_facts_alone: () => 'no picture has this name, expected a picture next to this file',
  picture_not_a_file: () => 'expected a picture file here',
  picture_too_large: ({ max }: { max: number }) =>
    `the picture is larger than ${max} MB, expected a smaller file`,
  picture_of_no_kind: () => 'this picture cannot be read, expected JPEG, PNG, WebP, or AVIF',
  picture_too_high: ({ height, width, times }: Record<'height' | 'width' | 'times', number>) =>
    `the picture is ${height} pixels tall and ${width} wide, expected a height of at most ${times} times the width`,
  picture_cut: ({ reason }: { reason: string }) =>
    `the picture is incomplete (${reason}), expected a complete JPEG, PNG, WebP, or AVIF file`,
  picture_foreign: ({ address }: { address: string }) =>
    `the picture ${address} is on another site, expected a file in pictures/`,
}
