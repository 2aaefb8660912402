import { EXPECTED_VALUES } from './values.ts'

/** Rules for the values of entries and content types. */
export const EXPECTED_IN_ENTRIES = {
  field_key: () => 'a key of lowercase letters, digits, and underscores',
  moment: () => 'a date and time in UTC, such as 2026-12-01T08:00:00Z',
  moment_after_publish: () => 'a time after publish_at',
  former_address: () =>
    'a path such as /old-page, without the domain, spaces, or signs such as ?, #, %, and &',
  former_address_free: () => 'an address that Signpost does not use',
}

/** Problems with an entry's address. */
export const FAULTS_OF_ENTRIES = {
  address_reserved: ({ path }: { path: string }) =>
    `the address ${path} is reserved for Signpost, expected another slug`,
  address_shared: ({ path, owner }: { path: string; owner: string }) =>
    `the address ${path} already belongs to ${owner}, expected another slug`,
}

/** Problems with a content type. */
export const FAULTS_OF_TYPES = {
  key_taken: ({ key, taken }: { key: string; taken: readonly string[] }) =>
    `the key "${key}" is taken, expected a key that no other field has and that is not one of: ${taken.join(', ')}`,
  part_key_taken: ({ key }: { key: string }) =>
    `the key "${key}" is taken, expected a key that no other part of the list has`,
  route_missing: () => 'the route pattern is missing, expected a pattern such as /projects/{slug}',
  route_of_pairs: ({ placeholders }: { placeholders: readonly string[] }) =>
    `local pages need two placeholders, expected ${placeholders.join(' and then ')}`,
  route_start: () => 'a route pattern must start with /',
  route_end: () => 'a route pattern must not end with /',
  route_segment: ({ segment }: { segment: string }) =>
    `"${segment}" must be a placeholder such as {slug}, or ${EXPECTED_VALUES.slug()}`,
  route_placeholder_missing: () => 'a route pattern must have at least one placeholder, such as {slug}',
  route_placeholder_repeated: () => 'a placeholder appears twice in the pattern',
  route_reserved: ({ part }: { part: string }) => `addresses under /${part} are reserved for Signpost`,
}
