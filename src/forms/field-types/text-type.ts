import { isInvisible } from '../../lib/characters.ts'
import type { Locale } from '../../lib/locale/locale.ts'
import type { AnswerProblem } from '../../messages/visitor/answers.ts'
import { isStorable, lengthProblem } from '../answer-text.ts'
import { matchesPattern } from '../fields/field-pattern.ts'
import type { FieldValidation } from '../fields/field-validation.ts'
import { DEFAULT_ANSWER, type FieldTypeDefinition, PLACEHOLDER, parseOne } from './field-type.ts'

type TextType = Pick<FieldTypeDefinition, 'label' | 'use'> &
  Partial<FieldTypeDefinition> & {
    clean: (text: string) => string
    /** In code points; used if the field has no limit of its own. */
    maxLength?: number
    formatProblem?: (text: string, site: Pick<Locale, 'country'>) => AnswerProblem | undefined
  }

/**
 * A type stored as text. The length is checked before the format, so that the pattern never runs on an
 * overlong text.
 */
export function textType({ clean, maxLength, formatProblem, ...own }: TextType): FieldTypeDefinition {
  return {
    options: 'none',
    validationKeys: ['min_length', 'max_length', 'pattern'],
    requiredProblem: { code: 'missing' },
    placeholderLabel: PLACEHOLDER,
    defaultAnswer: DEFAULT_ANSWER,
    widget: 'input',
    sample: () => 'Sample',
    parse: parseOne((sent, { validation }, site) => {
      if (!isStorable(sent)) return { problem: { code: 'characters_unusable' } }
      const text = clean(sent)
      if (isInvisible(text)) return { answer: null }
      const problem =
        lengthProblem(text, withDefault(validation, maxLength)) ??
        formatProblem?.(text, site) ??
        patternMismatch(text, validation)
      return problem === undefined ? { answer: text } : { problem }
    }),
    ...own,
  }
}

function withDefault(validation: FieldValidation, maxLength: number | undefined): FieldValidation {
  return maxLength === undefined ? validation : { max_length: maxLength, ...validation }
}

function patternMismatch(text: string, { pattern }: FieldValidation): AnswerProblem | undefined {
  if (pattern === undefined || matchesPattern(pattern, text)) return undefined
  return { code: 'pattern_mismatch' }
}
