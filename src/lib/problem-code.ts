import type { z } from 'zod'

/** The code of a problem that a schema found: a rule's own from its `params`, otherwise zod's. */
export function problemCode(issue: z.core.$ZodIssue): string {
  const own: unknown = issue.code === 'custom' ? issue.params?.code : undefined
  return typeof own === 'string' ? own : issue.code
}
