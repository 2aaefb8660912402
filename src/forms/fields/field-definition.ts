import { z } from 'zod'
import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import type { Problem } from '../../messages/files/rules/rule.ts'
import { addProblem, rule } from '../../messages/files/rules/schema-rule.ts'
import { describeAnswer } from '../../messages/visitor/answers.ts'
import { DEFAULT_FIELD_TYPE, FIELD_TYPE_NAMES, FIELD_TYPES } from '../field-types/field-types.ts'
import type { FormField } from '../form.ts'
import { optionalText } from '../optional-text.ts'
import { MAX_FILE_BYTES } from '../received-file.ts'
import { FIELD_NAME_PATTERN } from './field-name.ts'
import { formatOption, parseOption } from './field-option.ts'
import { patternProblem } from './field-pattern.ts'
import { MAX_PATTERN, validationDefinition } from './field-validation.ts'
import { acceptProblem } from './file-kinds.ts'

const MAX_DEFAULT = 10_000
const MAX_OPTIONS = 1_000

const scalar = z.union([z.string(), z.number(), z.boolean()], rule('scalar'))

/** In UTF-16 code units. */
export const MAX_LABEL = 500

const option = z
  .string()
  .max(MAX_LABEL)
  .transform((text) => formatOption(parseOption(text)))

const keys = z.strictObject({
  name: z.string().regex(FIELD_NAME_PATTERN, rule('field_name')),
  type: z.enum(FIELD_TYPE_NAMES).default(DEFAULT_FIELD_TYPE),
  label: z.string().trim().min(1, rule('label')).max(MAX_LABEL),
  placeholder: optionalText(2_000),
  default_value: scalar
    .refine((value) => String(value).length <= MAX_DEFAULT, rule('max_characters', { max: MAX_DEFAULT }))
    .nullish()
    // Exported files leave out an empty answer.
    .transform((value) => (value == null || value === '' ? null : String(value))),
  required: z.boolean().default(false),
  options: z
    .array(z.string())
    // Checked first, so that an overlong list is never read.
    .refine(({ length }) => length <= MAX_OPTIONS, rule('max_options', { max: MAX_OPTIONS }))
    .pipe(z.array(option))
    .nullish()
    .transform((options) => options ?? []),
  validation: validationDefinition.nullish().transform((validation) => validation ?? {}),
  help_text: optionalText(2_000),
})

/** One field of a form file (contract §3), keys and rules of §2.2. */
export const fieldDefinitionSchema = keys.superRefine((field, context) => {
  const mistakes = [...optionMistakes(field), ...validationMistakes(field)]
  // An invalid rule is reported itself and not applied to values.
  const problems = mistakes.length > 0 ? mistakes : hiddenValueMistakes(field)
  for (const problem of problems) addProblem(context, problem)
})

export type FieldDefinition = z.output<typeof keys>

/** The field as the program uses it. */
export function toFormField({ default_value, help_text, options, ...field }: FieldDefinition): FormField {
  return { ...field, defaultValue: default_value, options: options.map(parseOption), helpText: help_text }
}

const TYPES_WITH_OPTIONS = FIELD_TYPE_NAMES.filter((type) => FIELD_TYPES[type].options !== 'none')

function optionMistakes({ type, options }: FieldDefinition): Problem[] {
  const wanted = FIELD_TYPES[type].options
  const path = ['options']
  if (wanted === 'required' && options.length === 0) {
    return [{ path, code: 'options_missing', params: { type } }]
  }
  if (wanted === 'none' && options.length > 0) {
    return [{ path, code: 'options_useless', params: { type, types: TYPES_WITH_OPTIONS } }]
  }
  // Too many options are one problem; listing each would be too much.
  if (options.length > MAX_OPTIONS) return []
  return options.flatMap((text, index) => optionMistake(text, index, options))
}

function optionMistake(text: string, index: number, options: readonly string[]): Problem[] {
  const { label, value } = parseOption(text)
  const path = ['options', index]
  if (label === '' || value === '') {
    return [{ path, code: 'option_incomplete', params: { text } }]
  }
  const first = options.findIndex((other) => parseOption(other).value === value)
  return first === index ? [] : [{ path, code: 'option_repeated', params: { value } }]
}

function validationMistakes(field: FieldDefinition): Problem[] {
  return [
    ...uselessKeys(field),
    ...boundMistakes(field),
    ...lengthMistakes(field),
    ...patternMistakes(field),
    ...fileMistakes(field),
  ]
}

function uselessKeys({ type, validation }: FieldDefinition): Problem[] {
  const { validationKeys } = FIELD_TYPES[type]
  const known: readonly string[] = [...validationKeys, 'message']
  return Object.keys(validation)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      path: ['validation', key],
      code: 'validation_useless',
      params: { key, type, known },
    }))
}

function boundMistakes({ type, validation: { min, max } }: FieldDefinition): Problem[] {
  const { bounds } = FIELD_TYPES[type]
  if (!bounds) return []
  const wrong = Object.entries({ min, max }).filter(([, bound]) => bound !== undefined && !bounds.fits(bound))
  if (wrong.length > 0) {
    return wrong.map(([key, bound]) => ({
      path: ['validation', key],
      code: 'bound_invalid',
      params: { key, bound: bound ?? '', expected: bounds.expected },
    }))
  }
  if (min === undefined || max === undefined || min <= max) return []
  return [{ path: ['validation', 'min'], code: 'bounds_crossed', params: { min, max } }]
}

function lengthMistakes({ validation: { min_length, max_length } }: FieldDefinition): Problem[] {
  if (min_length === undefined || max_length === undefined || min_length <= max_length) return []
  const params = { min: min_length, max: max_length }
  return [{ path: ['validation', 'min_length'], code: 'lengths_crossed', params }]
}

function patternMistakes({ validation: { pattern } }: FieldDefinition): Problem[] {
  // An overlong pattern is refused by length, because compiling it takes seconds.
  const isRead = pattern !== undefined && pattern.length <= MAX_PATTERN
  const problem = isRead ? patternProblem(pattern) : undefined
  if (problem === undefined) return []
  return [{ path: ['validation', 'pattern'], code: 'pattern_invalid', params: { problem } }]
}

function fileMistakes({ validation: { accept = [], max_size = 1 } }: FieldDefinition): Problem[] {
  const wrong = accept.map(acceptProblem).filter((problem) => problem !== undefined)
  const mistakes: Problem[] = wrong.map((fault) => ({ path: ['validation', 'accept'], ...fault }))
  if (max_size <= MAX_FILE_BYTES) return mistakes
  const params = { bytes: max_size, max: MAX_FILE_BYTES }
  return [...mistakes, { path: ['validation', 'max_size'], code: 'max_size_too_large', params }]
}

// Visitors don't see hidden fields, so they couldn't correct them.
function hiddenValueMistakes(field: FieldDefinition): Problem[] {
  const { parse, widget } = FIELD_TYPES[field.type]
  if (widget !== 'hidden' || field.default_value === null) return []
  const site = { country: DEFAULT_COUNTRY }
  const checked = parse([field.default_value], toFormField(field), [], site)
  if ('answer' in checked) return []
  const params = { name: field.name, problem: describeAnswer(checked.problem) }
  return [{ path: ['default_value'], code: 'hidden_value_refused', params }]
}
