import { type Condition, type ConditionTree, toConditionTree } from './conditions.ts'
import { OPERATORS } from './operators.ts'

/** The slugs of places that a condition compares with where a submission came from. */
export function placesOfCondition(condition: Condition | null): string[] {
  return condition === null ? [] : [...new Set(placesOf(toConditionTree(condition)))]
}

function placesOf(tree: ConditionTree): string[] {
  if (tree.kind !== 'rule') return [tree.of].flat().flatMap(placesOf)
  const isPlace = tree.field === 'meta.location_slug' && OPERATORS[tree.op].isWhole
  return isPlace ? [tree.value ?? []].flat().map(String) : []
}
