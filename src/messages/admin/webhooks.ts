import { createMessages, type MessageOf } from '../../lib/messages.ts'
import { describeRule, type Problem, ruleSentence } from '../files/rules/rule.ts'

const FAULTS = {
  many_headers: ({ max }: { max: number }) => `Use at most ${max} headers.`,
  header_line_invalid: ({ line }: { line: string }) => `"${line}" is not a header; expected Name: value`,
  header_line_repeated: ({ name }: { name: string }) =>
    `The header ${name} appears more than once. Write its values on one line, separated by commas.`,
  /** `usesDoubleQuotes`: in an expression of the template, where they end the JSON text. */
  json_invalid: ({ reason, usesDoubleQuotes }: { reason: string; usesDoubleQuotes: boolean }) =>
    `This is not valid JSON: ${reason}${usesDoubleQuotes ? ". Use single quotes: default: 'text'." : ''}`,
  variable_new: ({ name }: { name: string }) =>
    `\${${name}} is new to this webhook. Add values from the environment in the form's file.`,
  variable_moved: ({ name, origin }: { name: string; origin: string }) =>
    `\${${name}} is only sent to ${origin}. Use another origin in the form's file.`,
}

/** What is wrong with a webhook beside the rules of its definition. */
export type InputFault = MessageOf<typeof FAULTS>

const describeFault = createMessages(FAULTS)

/** Says what is wrong with an input, or with a part of it such as `rule 2`. */
export function describeInputProblem(problem: InputFault | Problem): string {
  if (!('path' in problem)) return describeFault(problem)
  const place = problem.path.map((part) => (typeof part === 'number' ? `rule ${part + 1}` : String(part)))
  const where = place.filter((part) => part !== 'all' && part !== 'any').join(', ')
  return where === '' ? ruleSentence(problem) : `${where}: ${describeRule(problem)}.`
}
