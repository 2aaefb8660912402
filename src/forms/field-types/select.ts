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
    const value = findOffered(field, sent)
    return value === undefined ? { problem: NOT_OFFERED } : { answer: value }
  }),
}

/** The value of the option that was meant, or undefined when none is offered under that value. */
export function findOffered({ options }: FormField, sent: string): string | undefined {
  const wanted = cleanLine(sent)
  return options.find(({ value }) => cleanLine(value) === wanted)?.value
}
