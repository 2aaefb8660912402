import { isInvisible } from '../../lib/characters.ts'
import type { Locale } from '../../lib/locale/locale.ts'
import { isStorable, lengthProblem } from '../answer-text.ts'
import { matchesPattern } from '../fields/field-pattern.ts'
import type { FieldValidation } from '../fields/field-validation.ts'
import type { Answer, FormField } from '../form.ts'
import type { ReceivedFile } from '../received-file.ts'

const NOT_STORABLE = 'This answer has characters that can’t be stored. Type it again'

/** The answer to store, or what is wrong with it in one sentence for the visitor. */
export type Checked = { answer: Answer } | { problem: string }

/** What one of the twelve types does with what was sent. One file per type stands beside this one. */
export interface FieldTypeRule {
  /** Whether fields of this type have `options`. */
  options: 'none' | 'optional' | 'required'
  /** The keys of `validation` that mean something for this type; `message` always does. */
  validationKeys: readonly (keyof FieldValidation)[]
  /** What is said when a required field stays empty: an answer of `null`, `[]` or `false`. */
  requiredProblem: string
  /** `sent` holds every text sent under the field's name, as it came, and `files` every file. */
  parse(
    sent: readonly string[],
    field: FormField,
    files: readonly ReceivedFile[],
    site: Pick<Locale, 'country'>,
  ): Checked
}

/** A `parse` for types that take one text. Nothing sent is the empty text. */
export function parseOne(
  parse: (text: string, field: FormField, site: Pick<Locale, 'country'>) => Checked,
): FieldTypeRule['parse'] {
  return (sent, field, _, site) => {
    if (sent.length > 1) return { problem: 'Give one answer only' }
    return parse(sent[0] ?? '', field, site)
  }
}

/** A rule for types stored as text. The format is looked at after the length, so that it never sees a longer text. */
export function textRule({
  clean,
  maxLength,
  formatProblem = () => undefined,
}: {
  clean: (text: string) => string
  /** In code points, where the field does not say. */
  maxLength?: number
  formatProblem?: (text: string, site: Pick<Locale, 'country'>) => string | undefined
}): FieldTypeRule {
  return {
    options: 'none',
    validationKeys: ['min_length', 'max_length', 'pattern'],
    requiredProblem: 'Fill in this field',
    parse: parseOne((sent, { validation }, site) => {
      if (!isStorable(sent)) return { problem: NOT_STORABLE }
      const text = clean(sent)
      if (isInvisible(text)) return { answer: null }
      const problem =
        lengthProblem(text, withDefault(validation, maxLength)) ??
        formatProblem(text, site) ??
        patternMismatch(text, validation)
      return problem === undefined ? { answer: text } : { problem }
    }),
  }
}

function withDefault(validation: FieldValidation, maxLength: number | undefined): FieldValidation {
  return maxLength === undefined ? validation : { max_length: maxLength, ...validation }
}

function patternMismatch(text: string, { pattern }: FieldValidation): string | undefined {
  if (pattern === undefined || matchesPattern(pattern, text)) return undefined
  return 'Use the requested format'
}
