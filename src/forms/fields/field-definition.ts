import { z } from 'zod'
import { DEFAULT_COUNTRY } from '../../lib/locale/locale.ts'
import { DEFAULT_FIELD_TYPE, FIELD_TYPE_NAMES, FIELD_TYPES } from '../field-types/field-types.ts'
import type { FormField } from '../form.ts'
import { optionalText } from '../optional-text.ts'
import { MAX_FILE_BYTES } from '../received-file.ts'
import { FIELD_NAME_PATTERN, FIELD_NAME_RULE } from './field-name.ts'
import { formatOption, parseOption } from './field-option.ts'
import { patternProblem } from './field-pattern.ts'
import { MAX_PATTERN, validationDefinition } from './field-validation.ts'
import { acceptProblem } from './file-kinds.ts'

const MAX_DEFAULT = 10_000
const MAX_OPTIONS = 1_000

const scalar = z.union([z.string(), z.number(), z.boolean()], 'expected a text, number or boolean')

/** In UTF-16 code units. */
export const MAX_LABEL = 500

const keys = z.strictObject({
  name: z.string().regex(FIELD_NAME_PATTERN, FIELD_NAME_RULE),
  type: z.enum(FIELD_TYPE_NAMES).default(DEFAULT_FIELD_TYPE),
  label: z.string().trim().min(1, 'expected a label').max(MAX_LABEL),
  placeholder: optionalText(2_000),
  default_value: scalar
    .refine((value) => String(value).length <= MAX_DEFAULT, `expected at most ${MAX_DEFAULT} characters`)
    .nullish()
    .transform((value) => (value == null ? null : String(value))),
  required: z.boolean().default(false),
  options: z
    .array(
      z
        .string()
        .max(MAX_LABEL, `expected at most ${MAX_LABEL} characters`)
        .transform((text) => formatOption(parseOption(text))),
    )
    .max(MAX_OPTIONS, `expected at most ${MAX_OPTIONS} options`)
    .nullish()
    .transform((options) => options ?? []),
  validation: validationDefinition.nullish().transform((validation) => validation ?? {}),
  help_text: optionalText(2_000),
})

/** One field of a form file (contract §3), keys and rules of §2.2. */
export const fieldDefinitionSchema = keys.superRefine((field, context) => {
  const mistakes = [...optionMistakes(field), ...validationMistakes(field)]
  // A rule that is wrong itself judges no value.
  for (const { path, message } of mistakes.length > 0 ? mistakes : hiddenValueMistakes(field)) {
    context.addIssue({ code: 'custom', path, message })
  }
})

export type FieldDefinition = z.output<typeof keys>

/** The field as the program uses it. */
export function toFormField({ default_value, help_text, options, ...field }: FieldDefinition): FormField {
  return { ...field, defaultValue: default_value, options: options.map(parseOption), helpText: help_text }
}

interface Mistake {
  path: (string | number)[]
  message: string
}

const TYPES_WITH_OPTIONS = FIELD_TYPE_NAMES.filter((type) => FIELD_TYPES[type].options !== 'none')
  .join(', ')
  .replace(/, (?=\w+$)/, ' and ')

function optionMistakes({ type, options }: FieldDefinition): Mistake[] {
  const wanted = FIELD_TYPES[type].options
  const path = ['options']
  if (wanted === 'required' && options.length === 0) {
    return [{ path, message: `a ${type} field has no options; expected a list of "label/value"` }]
  }
  if (wanted === 'none' && options.length > 0) {
    return [{ path, message: `a ${type} field has no options; only ${TYPES_WITH_OPTIONS} do` }]
  }
  return options.flatMap((text, index) => optionMistake(text, index, options))
}

function optionMistake(text: string, index: number, options: readonly string[]): Mistake[] {
  const { label, value } = parseOption(text)
  const path = ['options', index]
  if (label === '' || value === '') {
    return [{ path, message: `"${text}" lacks a label or a value; expected "label/value"` }]
  }
  const first = options.findIndex((other) => parseOption(other).value === value)
  return first === index ? [] : [{ path, message: `the value "${value}" is offered twice` }]
}

function validationMistakes(field: FieldDefinition): Mistake[] {
  return [
    ...uselessKeys(field),
    ...boundMistakes(field),
    ...lengthMistakes(field),
    ...patternMistakes(field),
    ...fileMistakes(field),
  ]
}

function uselessKeys({ type, validation }: FieldDefinition): Mistake[] {
  const { validationKeys } = FIELD_TYPES[type]
  const known: readonly string[] = [...validationKeys, 'message']
  return Object.keys(validation)
    .filter((key) => !known.includes(key))
    .map((key) => ({
      path: ['validation', key],
      message: `${key} means nothing for a ${type} field; expected ${known.join(', ')}`,
    }))
}

function boundMistakes({ type, validation: { min, max } }: FieldDefinition): Mistake[] {
  const { bounds } = FIELD_TYPES[type]
  if (!bounds) return []
  const wrong = Object.entries({ min, max }).filter(([, bound]) => bound !== undefined && !bounds.fits(bound))
  if (wrong.length > 0) {
    return wrong.map(([key, bound]) => ({
      path: ['validation', key],
      message: `${key} is "${bound}"; expected ${bounds.expected}`,
    }))
  }
  if (min === undefined || max === undefined || min <= max) return []
  return [{ path: ['validation', 'min'], message: `min ${min} is more than max ${max}` }]
}

function lengthMistakes({ validation: { min_length, max_length } }: FieldDefinition): Mistake[] {
  if (min_length === undefined || max_length === undefined || min_length <= max_length) return []
  const message = `min_length ${min_length} is more than max_length ${max_length}`
  return [{ path: ['validation', 'min_length'], message }]
}

function patternMistakes({ validation: { pattern } }: FieldDefinition): Mistake[] {
  // One that is too long is refused by its length: compiling it takes seconds.
  const isRead = pattern !== undefined && pattern.length <= MAX_PATTERN
  const problem = isRead ? patternProblem(pattern) : undefined
  if (problem === undefined) return []
  return [
    { path: ['validation', 'pattern'], message: `${problem}; expected RE2 syntax, without look-around` },
  ]
}

function fileMistakes({ validation: { accept = [], max_size = 1 } }: FieldDefinition): Mistake[] {
  const wrong = accept.map(acceptProblem).filter((problem) => problem !== undefined)
  const mistakes: Mistake[] = wrong.map((message) => ({ path: ['validation', 'accept'], message }))
  if (max_size <= MAX_FILE_BYTES) return mistakes
  const message = `max_size is ${max_size} bytes; expected at most ${MAX_FILE_BYTES}`
  return [...mistakes, { path: ['validation', 'max_size'], message }]
}

// No visitor sees it, so that none could set it right.
function hiddenValueMistakes(field: FieldDefinition): Mistake[] {
  const { parse, widget } = FIELD_TYPES[field.type]
  if (widget !== 'hidden' || field.default_value === null) return []
  const site = { country: DEFAULT_COUNTRY }
  const checked = parse([field.default_value], toFormField(field), [], site)
  if ('answer' in checked) return []
  const message = `the value of ${field.name} breaks its own rules, so that nobody could send the form: ${checked.problem}`
  return [{ path: ['default_value'], message }]
}
