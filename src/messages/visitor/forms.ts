import { countOf } from '../plural.ts'

/** The label of a question that may stay empty. */
export function optionalLabel(label: string): string {
  return `${label} (optional)`
}

/** The heading above the mistakes in a form. */
export function mistakesHeading(count: number): string {
  return `Please check ${count === 1 ? 'one answer' : countOf(count, { one: 'answer', other: 'answers' })}`
}
