import { type Condition, type ConditionTree, toConditionTree } from './conditions.ts'

/** The slugs of places that a condition compares with where a submission came from. */
export function placesOfCondition(condition: Condition | null): string[] {
  return condition === null ? [] : [...new Set(placesOf(toConditionTree(condition)))]
}

function placesOf(tree: ConditionTree): string[] {
  if (tree.kind !== 'rule') return [tree.of].flat().flatMap(placesOf)
  if (tree.op === 'within') return [tree.value]
  const isWhole = tree.op === 'eq' || tree.op === 'ne' || tree.op === 'in' || tree.op === 'not_in'
  return tree.field === 'meta.location_slug' && isWhole ? [tree.value].flat().map(String) : []
}
