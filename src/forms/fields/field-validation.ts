import { z } from 'zod'
import { jsonColumn } from '../../lib/json-column.ts'
import { rule } from '../../messages/files/rules/schema-rule.ts'

const length = z.int(rule('number_of_characters')).min(0)
const bound = z.union([z.number(), z.string()], rule('number_or_day'))
const mediaTypes = z.array(z.string().min(1))
// `acceptProblem` checks the types; an empty list would accept no files.
const acceptedKinds = z.array(z.string()).min(1, rule('kinds_of_files'))

/** In UTF-16 code units (§3.5). */
export const MAX_PATTERN = 256

const KEYS = {
  min_length: length.optional(),
  max_length: length.min(1).optional(),
  min: bound.optional(),
  max: bound.optional(),
  pattern: z.string().min(1).optional(),
  message: z.string().min(1).max(500).optional(),
  accept: mediaTypes.optional(),
  max_size: z.int(rule('number_of_bytes')).min(1).optional(),
}

/**
 * Rules allowed in a content file; unknown keys are errors. Lengths are in code points, sizes in bytes
 * (contract §5). `accept` may also be a comma-separated text, as in HTML.
 */
export const validationDefinition = z.strictObject({
  ...KEYS,
  pattern: z.string().min(1).max(MAX_PATTERN).optional(),
  message: z.string().trim().min(1, rule('sentence')).max(500).optional(),
  accept: z
    .union([z.string().transform(splitAtCommas), z.array(z.string())])
    .pipe(acceptedKinds)
    .optional(),
})

/** Rules in a row; keys of later versions are ignored. */
export const storedValidation = z.object(KEYS)

/** `validation_json` */
export const validationColumn = jsonColumn(storedValidation)

export type FieldValidation = z.output<typeof storedValidation>

function splitAtCommas(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}
