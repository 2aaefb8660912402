import { nearNames } from '#src/lib/names/near-names.ts'

/** Rules for the values of a webhook. */
export const EXPECTED_IN_WEBHOOKS = {
  webhook_address: () => 'an address that starts with https:// or http://',
  signing_secret: () => 'non-empty text, or base64 after whsec_',
  new_secret: () => 'a secret; leave it out to keep the stored one',
  max_json: ({ max }: { max: number }) => `at most ${max} characters of JSON`,
  header_name: () => 'a header name of letters, digits, and hyphens',
  header_value: () => 'a value on one line, of Latin-1 characters',
  max_headers: ({ max }: { max: number }) => `at most ${max} headers`,
  max_header_length: ({ max, length }: { max: number; length: number }) =>
    `at most ${max} characters, not ${length}`,
  condition: () => 'a condition such as {"role": "owner"}',
  conditions: () => 'a list of conditions',
  first_condition: () => 'at least one condition',
  condition_field: () => 'a field name such as budget, or meta.<key> such as meta.location_slug',
  condition_value: () => 'text, a number, true, or false',
  condition_values: () => 'a list of values',
  first_value: () => 'at least one value',
  condition_text: () => 'text',
  condition_text_filled: () => 'non-empty text',
  comparable: () => 'a number, or a date such as 2026-11-20',
  location_slug: () => 'the slug of a location',
}

/** An expression of a template, cut when it is long. */
export interface Mention {
  mention: string
}

// The nearest name helps more than a list of more than forty.
function unknownReference(
  name: string,
  { names, expected }: { names: readonly string[]; expected: string },
): string {
  const [near] = nearNames(name, names)
  const unknown = `unknown reference "${name}"`
  return near === undefined ? `${unknown}, expected ${expected}` : `${unknown}. Did you mean ${near}?`
}

/** Problems with a webhook. */
export const FAULTS_OF_WEBHOOKS = {
  credentials_in_address: () => 'the address contains a user name or password; use an Authorization header',
  template_too_deep: ({ max }: { max: number }) => `templates can be nested at most ${max} levels deep`,
  conditions_too_deep: ({ max }: { max: number }) => `conditions can be nested at most ${max} levels deep`,
  fallback_with_conditions: () => 'an entry with fallback: true can’t have conditions',
  fallback_elsewhere: () => 'fallback: true is not a condition; use it instead of conditions',
  operator_elsewhere: ({ operator, field }: { operator: string; field: string }) =>
    `${operator} only works with ${field}`,
  header_repeated: () => 'this header appears twice',
  header_framing: () => 'HTTP sets this header automatically; leave the header out',
  header_reserved: () => 'Signpost sets this header automatically; leave the header out',
  unknown_field: ({ name, fields }: { name: string; fields: readonly string[] }) =>
    unknownReference(name, {
      names: fields,
      expected: `a form field (${fields.join(', ')}) or meta.<key>`,
    }),
  unknown_meta_key: ({ name, keys }: { name: string; keys: readonly string[] }) =>
    unknownReference(name, {
      names: keys.map((key) => `meta.${key}`),
      expected: 'meta.<key> such as meta.location_name',
    }),
  reference_unclosed: ({ mention }: Mention) => `"${mention}" has no closing }}; expected {{field}}`,
  too_many_references: ({ max }: { max: number }) => `too many references, expected at most ${max}`,
  too_many_filters: ({ mention, max }: Mention & { max: number }) =>
    `too many filters in ${mention}, expected at most ${max}`,
  labels_missing: ({ mention, name }: Mention & { name: string }) =>
    `no labels for ${mention}, because ${name} has no options; use {{${name}}}`,
  unknown_filter: ({ mention, name, usages }: Mention & { name: string; usages: readonly string[] }) =>
    `unknown filter "${name}" in ${mention}, expected ${usages.slice(0, -1).join(', ')}, or ${usages.at(-1)}`,
  filter_value_useless: ({ mention, name }: Mention & { name: string }) =>
    `${name} does not accept a value in ${mention}`,
  filter_value_invalid: ({ mention, name }: Mention & { name: string }) =>
    `invalid ${name} in ${mention}, expected ${name}: "text", a number, true, false, or null`,
}
