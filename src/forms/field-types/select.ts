import { cleanLine } from '../answer-text.ts'
import { DEFAULT_ANSWER, type FieldTypeDefinition, parseOne, type TypedField } from './field-type.ts'

const NOT_OFFERED = { code: 'choice_missing' } as const

/** One of the options, stored as its value. */
export const select: FieldTypeDefinition = {
  label: 'Drop-down list',
  use: 'One of many choices',
  placeholderLabel: 'Placeholder',
  defaultAnswer: DEFAULT_ANSWER,
  optionsHelp: 'One per line, as Label/value. Without a slash, the label is stored.',
  options: 'required',
  validationKeys: [],
  requiredProblem: NOT_OFFERED,
  parse: parseOne((sent, field) => {
    if (cleanLine(sent) === '') return { answer: null }
    const value = createOfferFinder(field)(sent)
    return value === undefined ? { problem: NOT_OFFERED } : { answer: value }
  }),
  widget: 'select',
  sample: (option = 'Sample') => option,
  isShort: true,
}

/**
 * Finds the value of the selected option; undefined if there is no such option. Option values are cleaned
 * once, because a visitor may send hundreds of values to a group of a thousand options.
 */
export function createOfferFinder({ options }: TypedField): (sent: string) => string | undefined {
  // If several options have the same value, the first one is used.
  const values = new Map(options.toReversed().map(({ value }) => [cleanLine(value), value]))
  return (sent) => values.get(cleanLine(sent))
}
