import { describeRule, type Expectation, type Fault, type Rule } from './rules/rule.ts'

/** The names that would be right, the nearest ones of too many. */
export interface Choices {
  names: readonly string[]
  isCut: boolean
}

/** `expected one of: a, b, …` */
export function expectedOneOf({ names, isCut }: Choices): string {
  if (names.length === 0) return 'expected no value, because none exist yet'
  return `expected one of: ${names.join(', ')}${isCut ? ', …' : ''}`
}

// In place of the YAML library's own words where these are for programmers.
const YAML_REASONS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second --- starts another document, but a file can contain only one',
  RESOURCE_EXHAUSTION: 'values are nested too deeply',
}

/** Problems with a file before its values are read. */
export const FAULTS_OF_READING = {
  not_a_file: () => 'expected a text file here',
  file_too_large: ({ max }: { max: number }) => `the file is larger than ${max} MB, expected a smaller file`,
  link_broken: () => 'the symbolic link is broken, expected a text file',
  file_unreadable: ({ error }: { error: string }) =>
    `the file cannot be read (${error}), expected a text file`,
  not_utf8: () => 'the file is not valid UTF-8, expected a file saved as UTF-8',
  character_unusable: ({ name }: { name: string }) =>
    `the character ${name} can't be shown on a page, expected text without this character`,
  yaml_invalid: ({ error, reason }: { error: string; reason: string }) =>
    `the YAML cannot be read, ${YAML_REASONS[error] ?? reason}; expected valid YAML (try quotes around special characters)`,
  yaml_alias_unknown: ({ name }: { name: string }) =>
    `*${name} has no value, expected &${name} before a value above this line`,
  yaml_inside_itself: ({ name }: { name: string }) =>
    `*${name} is inside &${name}, expected a value that does not contain itself`,
  yaml_key_not_text: () =>
    'a key starts with { or [, expected quotes around text with braces or brackets, such as "{{full_name}}"',
  yaml_key_alias: ({ name }: { name: string }) => `*${name} is used as a key, expected the key itself`,
  yaml_key_repeated: ({ name }: { name: string }) => `the key "${name}" occurs twice, expected each key once`,
  file_of_no_kind: ({ inFolder, site, folders }: { inFolder: boolean; site: string; folders: string }) =>
    `${inFolder ? 'unknown folder' : 'unexpected file'}, expected ${site} or a file in one of: ${folders}`,
  path_expected: ({ path }: { path: string }) => `expected ${path}`,
  slug_invalid: ({ slug }: { slug: string }) =>
    `"${slug}" is not a valid slug, expected lowercase letters, digits, hyphens, and underscores`,
  type_slug_invalid: ({ slug }: { slug: string }) =>
    `"${slug}" is not a valid slug for a type, expected a slug that starts with a letter`,
  type_slug_taken: ({ slug }: { slug: string }) => `"${slug}" is reserved, expected another slug`,
  ending_wrong: () => 'invalid file name, expected a name that ends with .md',
  path_wrong: ({ path }: { path: string }) => `invalid file name, expected ${path}`,
  name_wrong: () => `invalid file name, ${describeRule({ code: 'slug' })}`,
  front_matter_missing: () =>
    'front matter is missing, expected YAML between two lines of --- at the top of the file',
  text_too_slow: () => 'the text takes too long to format, expected shorter text or less emphasis (*, _, ~)',
  text_too_deep: () => 'quotes, lists, or formatting are nested too deeply, expected fewer levels',
}

/** Problems with a value; `name` is its place, such as `fields[2].name`. */
export const FAULTS_OF_VALUES_IN_FILES = {
  unknown_key: ({ name, choices }: { name: string; choices: Choices | null }) =>
    `unknown key ${name}, ${choices ? expectedOneOf(choices) : 'expected another key'}`,
  value_missing: ({ name, rule }: { name: string; rule: Rule }) =>
    `${name} is missing, ${describeRule(rule)}`,
  /** `shown` is null where the value may be a secret. */
  value_wrong: ({ name, shown, rule }: { name: string; shown: string | null; rule: Expectation }) =>
    `${name} is ${shown ?? 'invalid'}, ${describeRule(rule)}`,
  value_faulty: ({ name, rule }: { name: string; rule: Fault }) => `${name}: ${describeRule(rule)}`,
  address_wrong: ({ rule }: { rule: Fault }) => describeRule(rule),
  variable_unset: ({ name, key }: { name: string; key: string }) =>
    `"${name}" is not set in the environment, expected a value for ${key}`,
  place_kind_elsewhere: ({ file }: { file: string }) => `only places have a kind, expected kind in ${file}`,
  type_not_routable: ({ type, route }: { type: string; route: string }) =>
    `is_routable is missing, expected true and the route_pattern ${route}, because ${type} is a built-in type, and its file replaces the whole type`,
  route_parts: ({ type, count, expected }: { type: string; count: number; expected: number }) =>
    `route_pattern has ${count} placeholders, expected ${expected}, because ${type} is a built-in type`,
  field_type_changed: ({
    key,
    given,
    expected,
    type,
  }: Record<'key' | 'given' | 'expected' | 'type', string>) =>
    `the field ${key} has the type ${given}, expected ${expected}, because ${type} is a built-in type`,
}
