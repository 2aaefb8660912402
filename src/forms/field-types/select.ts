import { cleanLine } from '../answer-text.ts'
import type { FormField } from '../form.ts'
import { type FieldTypeRule, parseOne } from './field-type.ts'

const NOT_OFFERED = 'Choose one of the options'

/** One of the options, stored as its value. */
export const select: FieldTypeRule = {
  options: 'required',
  validationKeys: [],
  requiredProblem: NOT_OFFERED,
  parse: parseOne((sent, field) => {
    if (cleanLine(sent) === '') return { answer: null }
    const value = createOfferFinder(field)(sent)
    return value === undefined ? { problem: NOT_OFFERED } : { answer: value }
  }),
}

/**
 * Finds the value of the option that was meant, or undefined when none is offered under that value. The values are
 * cleaned once: a visitor may send hundreds of ticks to a group of a thousand options.
 */
export function createOfferFinder({ options }: FormField): (sent: string) => string | undefined {
  // Of several options with the same value the first counts.
  const values = new Map(options.toReversed().map(({ value }) => [cleanLine(value), value]))
  return (sent) => values.get(cleanLine(sent))
}
