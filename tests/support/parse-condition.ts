import { type Condition, conditionSchema } from '#src/conditions/conditions.ts'
import type { Problem } from '#src/messages/files/rules/rule.ts'
import { problemOf } from '#src/messages/files/rules/schema-rule.ts'

/** Reads a condition of either form. */
export function parseCondition(
  value: unknown,
): { kind: 'valid'; condition: Condition } | { kind: 'invalid'; problems: Problem[] } {
  const result = conditionSchema.safeParse(value)
  if (result.success) return { kind: 'valid', condition: result.data }
  return { kind: 'invalid', problems: result.error.issues.map(problemOf) }
}
