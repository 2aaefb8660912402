/** The key of an answer in `data_json` (contract §5). */
export const FIELD_NAME_PATTERN = /^[a-z][a-z0-9_]{0,62}$/
