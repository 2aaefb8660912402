import type { z } from 'zod'
import { isRuleCode, type Problem, type Rule } from './rule.ts'

type RuleOf<Code> = Extract<Rule, { code: Code }>

type Params<Code> = RuleOf<Code>['params'] extends undefined ? [] : [params: RuleOf<Code>['params']]

/**
 * For zod: the code of a rule in place of a message. One with parameters only for `refine` and `custom`: zod's own checks
 * pass none on.
 */
export function rule<Code extends Rule['code']>(
  code: Code,
  ...[params]: Params<Code>
): { error: Code; params?: object } {
  return { error: code, ...(params && { params }) }
}

/** Adds a problem to those that a schema found. */
export function addProblem(context: z.RefinementCtx, { path, code, params }: Problem): void {
  context.addIssue({ code: 'custom', path: [...path], message: code, ...(params && { params }) })
}

/**
 * A problem that a schema found: a rule of ours, or what zod's own check means. If a value can have several forms, what
 * is wrong inside it says more than that it has none of them.
 */
export function problemOf(issue: z.core.$ZodIssue): Problem {
  const inside = issueInside(issue)
  if (inside) return problemOf({ ...inside, path: [...issue.path, ...inside.path] })
  const { path, message } = issue
  if (!isRuleCode(message)) return { path, ...ruleOfZod(issue) }
  const params = issue.code === 'custom' ? issue.params : paramsOfChoice(issue)
  return { path, code: message, ...(params && { params }) } as unknown as Problem
}

function issueInside(issue: z.core.$ZodIssue): z.core.$ZodIssue | undefined {
  return issue.code === 'invalid_union' ? issue.errors.flat().find(({ path }) => path.length > 0) : undefined
}

function paramsOfChoice(issue: z.core.$ZodIssue): object | undefined {
  return issue.code === 'invalid_value' ? { values: issue.values.map(String) } : undefined
}

function ruleOfZod(issue: z.core.$ZodIssue): Rule {
  switch (issue.code) {
    case 'invalid_type':
      return { code: 'type', params: { type: issue.expected } }
    case 'invalid_value':
      return { code: 'choice', params: { values: issue.values.map(String) } }
    case 'too_small': {
      const min = Number(issue.minimum)
      return { code: issue.origin === 'string' ? 'min_characters' : 'at_least', params: { min } }
    }
    case 'too_big': {
      const max = Number(issue.maximum)
      return { code: issue.origin === 'string' ? 'max_characters' : 'at_most', params: { max } }
    }
    case 'unrecognized_keys':
      return { code: 'unknown_keys', params: { keys: issue.keys } }
    case 'custom':
      return { code: 'own_rule', params: { text: issue.message } }
    default:
      return { code: 'other_form' }
  }
}
