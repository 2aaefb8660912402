const list = new Intl.ListFormat('en')

/** Rules for the values of a form and its fields. */
export const EXPECTED_IN_FORMS = {
  name: () => 'a name',
  label: () => 'a label',
  field_name: () => 'up to 63 lowercase letters, digits, and underscores, starting with a letter',
  redirect_target: () => 'an address that starts with https://, http://, or a single /',
  number_of_days: () => 'a whole number of days, at least 1',
  anti_spam: () => 'true, false, or keys with values',
  number_of_seconds: () => 'a number of seconds',
  number_of_characters: () => 'a whole number of characters',
  number_of_bytes: () => 'a whole number of bytes',
  number_or_day: () => 'a number, or a date in the format YYYY-MM-DD',
  kinds_of_files: () => 'file types such as .pdf or image/*',
  sentence: () => 'a sentence',
  one_line: () => 'text on one line',
  first_address: () => 'at least one email address',
  max_addresses: ({ max }: { max: number }) => `at most ${max} addresses`,
  max_entries: ({ max }: { max: number }) => `at most ${max} entries`,
  max_options: ({ max }: { max: number }) => `at most ${max} options`,
}

export interface Bounds {
  min: number | string
  max: number | string
}

/** Problems with a form or a field. */
export const FAULTS_OF_FORMS = {
  too_many_fields: ({ max }: { max: number }) => `a form can have at most ${max} fields`,
  decoy_is_field: ({ name }: { name: string }) =>
    `the honeypot "${name}" is also a field; expected a name that no field has`,
  field_repeated: ({ name }: { name: string }) =>
    `the field name "${name}" is used twice; expected different names`,
  options_missing: ({ type }: { type: string }) =>
    `a ${type} field needs at least one option; expected a list of "label/value"`,
  options_useless: ({ type, types }: { type: string; types: readonly string[] }) =>
    `a ${type} field can't have options; only ${list.format(types)} can`,
  option_incomplete: ({ text }: { text: string }) =>
    `"${text}" has no label or no value; expected "label/value"`,
  option_repeated: ({ value }: { value: string }) => `the value "${value}" appears twice`,
  validation_useless: ({ key, type, known }: { key: string; type: string; known: readonly string[] }) =>
    `${key} does not apply to a ${type} field; expected ${known.join(', ')}`,
  bound_invalid: ({ key, bound, expected }: { key: string; bound: number | string; expected: string }) =>
    `${key} is "${bound}"; expected ${expected}`,
  bounds_crossed: ({ min, max }: Bounds) => `min ${min} is greater than max ${max}`,
  lengths_crossed: ({ min, max }: Bounds) => `min_length ${min} is greater than max_length ${max}`,
  pattern_invalid: ({ problem }: { problem: string }) =>
    `${problem}; expected RE2 syntax, without look-around`,
  file_kind_unknown: ({ token, known }: { token: string; known: readonly string[] }) =>
    `"${token}" is not a file type that forms accept; expected image/*, audio/*, video/*, text/*, or one of: ${known.join(' ')}`,
  max_size_too_large: ({ bytes, max }: { bytes: number; max: number }) =>
    `max_size is ${bytes} bytes; expected at most ${max}`,
  default_refused: ({ text, problem }: { text: string; problem: string }) =>
    `the default answer "${text}" fails the field's own validation: ${problem}`,
  hidden_value_refused: ({ name, problem }: { name: string; problem: string }) =>
    `the value of ${name} fails its own validation, so no one could submit the form: ${problem}`,
}
