import type { Json } from '../../lib/canonical-json.ts'
import { META_KEYS } from './delivery-meta.ts'
import { type LocatedExpression, listExpressions } from './payload-template.ts'
import { metaKeyOf } from './reference.ts'
import { type Filter, findFilter } from './template-expression.ts'
import type { TemplateField } from './template-field.ts'
import { FILTERS } from './template-filters.ts'

/** So many tell a person enough, and a page can show them. */
const MAX_PROBLEMS = 100
/** Each may stand for an answer of 64 KB: thousands would make a body that no memory holds. */
const MAX_EXPRESSIONS = 500
const MAX_FILTERS = 10
/** Characters of an expression in a message. */
const MAX_MENTION = 200

/** What a template or a condition may refer to. */
export type ReferableField = Pick<TemplateField, 'name' | 'hasOptions'>

/** A text that is wrong, as it stands there, and a sentence about it without a full stop. */
export interface Problem {
  mention: string
  message: string
}

/**
 * The references, labels, and filters of a template that a form with these fields does not have, each once; the first
 * hundred of them.
 */
export function checkTemplate(template: Json, fields: readonly ReferableField[]): Problem[] {
  const problems = new Map<string, Problem>()
  const expressions = listExpressions(template)
  const excess = expressions[MAX_EXPRESSIONS]
  if (excess)
    return [{ mention: excess.written, message: `too many references, expected at most ${MAX_EXPRESSIONS}` }]
  for (const expression of expressions) {
    for (const problem of checkExpression(expression, fields)) problems.set(problem.message, problem)
    if (problems.size >= MAX_PROBLEMS) break
  }
  return [...problems.values()]
}

/** Whether a name is one of a field or of a key of `meta`. */
export function isKnown(name: string, fields: readonly ReferableField[]): boolean {
  const key = metaKeyOf(name)
  return key === undefined
    ? fields.some((field) => field.name === name)
    : META_KEYS.some((known) => known === key)
}

/** What is wrong with a name that is not known. */
export function unknownReference(name: string, fields: readonly ReferableField[]): Problem {
  const expected =
    metaKeyOf(name) === undefined
      ? `a field of the form (${fields.map((field) => field.name).join(', ')}) or meta.<key>`
      : `meta. and one of ${META_KEYS.join(', ')}`
  return { mention: name, message: `unknown reference "${name}", expected ${expected}` }
}

function checkExpression(expression: LocatedExpression, fields: readonly ReferableField[]): Problem[] {
  const { name, written: mention, takesLabel, filters } = expression
  const shown = mention.length > MAX_MENTION ? `${mention.slice(0, MAX_MENTION)}…` : mention
  // Each message names the whole expression: without a limit thousands of filters fill the memory.
  if (filters.length > MAX_FILTERS)
    return [{ mention, message: `too many filters in ${shown}, expected at most ${MAX_FILTERS}` }]
  const reference = isKnown(name, fields) ? [] : [unknownReference(name, fields)]
  const hasNoLabels = takesLabel && fields.some((field) => field.name === name && !field.hasOptions)
  const label = `no labels for ${shown}, as ${name} has no choices; use {{${name}}}`
  const messages = [
    ...(hasNoLabels ? [label] : []),
    ...filters.flatMap((one) => checkFilter(one, shown) ?? []),
  ]
  return [...reference, ...messages.map((message) => ({ mention, message }))]
}

function checkFilter({ name, value, isReadable }: Filter, mention: string): string | undefined {
  const filter = findFilter(name)
  if (!filter) return `unknown filter "${name}" in ${mention}, expected ${usages()}`
  const isGiven = value !== undefined || !isReadable
  if (!filter.takesValue) return isGiven ? `${name} takes no value in ${mention}` : undefined
  if (value !== undefined) return undefined
  return `invalid ${name} in ${mention}, expected ${name}: "text", a number, true, false, or null`
}

function usages(): string {
  const all = Object.values(FILTERS).map(({ usage }) => usage)
  return `${all.slice(0, -1).join(', ')}, or ${all.at(-1)}`
}
