import { DEFAULT_COUNTRY, type Locale } from '../lib/locale/locale.ts'
import { describeAnswer } from '../messages/visitor/answers.ts'
import type { Checked } from './field-types/field-type.ts'
import { FIELD_TYPES } from './field-types/field-types.ts'
import type { Answers, FormField } from './form.ts'
import type { ReceivedFile, ReceivedFiles } from './received-file.ts'

export type CheckedAnswers =
  | { kind: 'valid'; answers: Answers }
  | { kind: 'invalid'; errors: Record<string, string[]> }

const ANYWHERE = { country: DEFAULT_COUNTRY }

/**
 * Checks a body against the fields. Returns an answer for every field and nothing else, as contract §5 stores
 * it; or, for each invalid field, what to do about it, with examples from the site's country. Never throws,
 * whatever the body contains.
 */
export function checkAnswers(
  fields: readonly FormField[],
  body: Readonly<Record<string, unknown>>,
  files: ReceivedFiles = {},
  site: Pick<Locale, 'country'> = ANYWHERE,
): CheckedAnswers {
  const answers: Answers = {}
  const errors: Record<string, string[]> = {}
  for (const field of fields) {
    const checked = checkAnswer(field, body, { files: filesOf(files, field.name), site })
    if ('answer' in checked) answers[field.name] = checked.answer
    else errors[field.name] = [field.validation.message ?? describeAnswer(checked.problem)]
  }
  return Object.keys(errors).length === 0 ? { kind: 'valid', answers } : { kind: 'invalid', errors }
}

/** Returns the answers as sent, with file names for files, so that a refused form keeps its values. */
export function sentValues(
  fields: readonly FormField[],
  body: Readonly<Record<string, unknown>>,
  files: ReceivedFiles = {},
): Record<string, string[]> {
  return Object.fromEntries(
    fields.map(({ name }) => {
      const fileNames = filesOf(files, name).map((file) => file.name)
      return [name, [...sentTexts(body, name), ...fileNames]]
    }),
  )
}

/** Every text sent under a name; numbers and booleans become text, anything else is dropped. */
export function sentTexts(body: Readonly<Record<string, unknown>>, name: string): string[] {
  // A field may be called `constructor`, so only the body's own properties count.
  const sent = Object.hasOwn(body, name) ? body[name] : undefined
  return (Array.isArray(sent) ? sent : [sent]).filter(isScalar).map(String)
}

function filesOf(files: ReceivedFiles, name: string): readonly ReceivedFile[] {
  return Object.hasOwn(files, name) ? (files[name] ?? []) : []
}

function checkAnswer(
  field: FormField,
  body: Readonly<Record<string, unknown>>,
  { files, site }: { files: readonly ReceivedFile[]; site: Pick<Locale, 'country'> },
): Checked {
  const type = FIELD_TYPES[field.type]
  if (type.storedAs !== 'number' && hasLostDigits(body, field.name))
    return { problem: { code: 'digits_lost' } }
  const checked = type.parse(sentTexts(body, field.name), field, files, site)
  if (field.required && 'answer' in checked && (checked.answer === null || checked.answer === false)) {
    return { problem: type.requiredProblem }
  }
  return checked
}

// Probably an account or card number that a program sent without quotes. The `number` type reports this
// itself.
function hasLostDigits(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const sent = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof sent === 'number' && !(Math.abs(sent) <= Number.MAX_SAFE_INTEGER)
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
