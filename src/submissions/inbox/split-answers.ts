import { findFieldType } from '../../forms/field-types/field-types.ts'
import type { LabelledAnswer } from './label-answers.ts'

const MOST_ANSWERS = 4
const MOST_CHARACTERS = 300

/**
 * Splits the answers of a lead, so that a phone shows its stage and notes after the first part: email addresses, phone
 * numbers, and the first other answers, which fit its screen. A short form has no second part.
 */
export function splitAnswers(answers: readonly LabelledAnswer[]): Record<'first' | 'rest', LabelledAnswer[]> {
  const others = answers.filter((answer) => !isContact(answer))
  let left = MOST_CHARACTERS
  const end = others.findIndex(({ text }, index) => {
    left -= text.length
    return index === MOST_ANSWERS || left < 0
  })
  const rest = end < 0 ? [] : others.slice(end)
  return { first: answers.filter((answer) => !rest.includes(answer)), rest }
}

function isContact({ field, name }: LabelledAnswer): boolean {
  return findFieldType(field?.type ?? name)?.contact !== undefined
}
