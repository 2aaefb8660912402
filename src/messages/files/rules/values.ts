import { MAX_SLUG_LENGTH } from '#src/lib/slug.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'keys with values',
  record: 'keys with values',
}

/** Rules for values of any kind. */
export const EXPECTED_VALUES = {
  filled_text: () => 'text',
  /** `isUnquoted`: a text was meant that YAML reads as something else. */
  type: ({ type, isUnquoted = false }: { type: string; isUnquoted?: boolean }) =>
    `${TYPES[type] ?? type}${isUnquoted ? ' (put it in quotes)' : ''}`,
  choice: ({ values }: { values: readonly string[] }) =>
    `${values.length > 1 ? 'one of: ' : ''}${values.join(', ')}`,
  at_least: ({ min }: { min: number }) => `at least ${min}`,
  at_most: ({ max }: { max: number }) => `at most ${max}`,
  min_characters: ({ min }: { min: number }) => (min === 1 ? 'text' : `at least ${min} characters`),
  max_characters: ({ max }: { max: number }) => `at most ${max} characters`,
  whole_number: () => 'a whole number',
  whole_number_between: ({ min, max }: { min: number; max: number }) =>
    `a whole number from ${min} to ${max}`,
  true_or_false: () => 'true or false',
  scalar: () => 'text, a number, or a boolean',
  email_address: () => 'an email address',
  https_address: () => 'an address that starts with https://',
  date: () => 'a date such as 2026-11-20',
  slug: () => `up to ${MAX_SLUG_LENGTH} lowercase letters, digits, and hyphens`,
  /** Fallback for values that no other rule covers. */
  other_form: () => 'a different format; see README.md in the content folder',
}

export const FAULTS_OF_VALUES = {
  unknown_keys: ({ keys }: { keys: readonly string[] }) =>
    `unknown ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`,
  /** The words of a section of the site’s own. */
  own_rule: ({ text }: { text: string }) => text,
  not_json: () => 'not valid JSON',
}
