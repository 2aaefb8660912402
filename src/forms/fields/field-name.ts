/** The key of an answer in `data_json` (contract §5). */
export const FIELD_NAME_PATTERN = /^[a-z][a-z0-9_]{0,62}$/

export const FIELD_NAME_RULE =
  'expected lower-case letters, digits and _, a letter first, at most 63 characters'
