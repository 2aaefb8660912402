import type { FormField } from '../forms/form.ts'
import type { Json } from '../lib/canonical-json.ts'
import { rulesOf, valuesOf } from './condition-slugs.ts'
import { type Condition, type Rule, toConditionTree } from './conditions.ts'
import { OPERATORS } from './operators.ts'

/** Values in conditions that a question with choices never stores. */
export interface UnknownChoices {
  name: string
  label: string
  values: Json[]
}

type ChoiceField = Pick<FormField, 'name' | 'label' | 'options'>

/** Lists the values in conditions that aren't among their question's choices, by question. */
export function listUnknownChoices(
  conditions: readonly (Condition | null)[],
  fields: readonly ChoiceField[],
): UnknownChoices[] {
  const rules = conditions.flatMap((condition) => (condition ? rulesOf(toConditionTree(condition)) : []))
  return fields.flatMap(({ name, label, options }) => {
    const choices = new Set<Json>(options.map(({ value }) => value))
    const compared = rules.filter((rule) => rule.field === name && comparesWhole(rule)).flatMap(valuesOf)
    const values = [...new Set(compared)].filter((value) => !choices.has(value))
    return options.length === 0 || values.length === 0 ? [] : [{ name, label, values }]
  })
}

// A part of a choice, as of `starts_with`, needs no choice of its own.
function comparesWhole({ op }: Rule): boolean {
  return OPERATORS[op].isWhole === true || op === 'includes'
}
