import type { Json } from '../lib/canonical-json.ts'
import { rulesOf, valuesOf } from './condition-slugs.ts'
import { type Condition, toConditionTree } from './conditions.ts'
import { OPERATORS } from './operators.ts'

/** Values in conditions that a question with choices never stores. */
export interface UnknownChoices {
  name: string
  label: string
  values: Json[]
}

/** The parts of a form field that hold its choices. */
interface ChoiceField {
  name: string
  label: string
  options: readonly { value: string }[]
}

/** Lists the values in conditions that aren't among their question's choices, by question. */
export function listUnknownChoices(
  conditions: readonly (Condition | null)[],
  fields: readonly ChoiceField[],
): UnknownChoices[] {
  const rules = conditions
    .flatMap((condition) => (condition ? rulesOf(toConditionTree(condition)) : []))
    // A part of a choice needs no choice of its own.
    .filter(({ op }) => OPERATORS[op].isWhole)
  return fields.flatMap(({ name, label, options }) => {
    const choices = new Set<Json>(options.map(({ value }) => value))
    const compared = rules.filter(({ field }) => field === name).flatMap(valuesOf)
    const values = [...new Set(compared)].filter((value) => !choices.has(value))
    return options.length === 0 || values.length === 0 ? [] : [{ name, label, values }]
  })
}
