import type { Json } from '../lib/canonical-json.ts'
import type { Fault } from '../messages/files/rules/rule.ts'
import { META_KEYS } from './meta.ts'
import { type LocatedExpression, listExpressions, listUnclosed } from './payload-template.ts'
import { metaKeyOf } from './reference.ts'
import { type Filter, findFilter } from './template-expression.ts'
import type { TemplateField } from './template-field.ts'
import { FILTERS } from './template-filters.ts'

/** Maximum number of problems: enough for a person, and a page can show them. */
const MAX_PROBLEMS = 100
/** Each may stand for an answer of 64 KB, so thousands would make a body that does not fit into memory. */
const MAX_EXPRESSIONS = 500
const MAX_FILTERS = 10
/** Maximum number of characters of an unclosed reference in a message. */
const MAX_UNCLOSED = 40
/** Maximum number of characters of an expression in a message. */
const MAX_MENTION = 200

/** A field that a template or a condition can refer to. */
export type ReferableField = Pick<TemplateField, 'name' | 'hasOptions'>

/** A problem with a text, quoted from it. */
export type TemplateProblem = Fault & { mention: string }

/**
 * The references, labels, and filters in a template that a form with these fields does not have, and references that
 * are not closed, each once, at most a hundred.
 */
export function checkTemplate(template: Json, fields: readonly ReferableField[]): TemplateProblem[] {
  const problems = new Map<string, TemplateProblem>()
  const expressions = listExpressions(template)
  const excess = expressions[MAX_EXPRESSIONS]
  if (excess)
    return [{ mention: excess.written, code: 'too_many_references', params: { max: MAX_EXPRESSIONS } }]
  for (const expression of expressions) {
    for (const problem of checkExpression(expression, fields))
      problems.set(JSON.stringify([problem.code, problem.params]), problem)
    if (problems.size >= MAX_PROBLEMS) break
  }
  for (const text of listUnclosed(template)) {
    if (problems.size >= MAX_PROBLEMS) break
    const mention = text.split('\n')[0]?.slice(0, MAX_UNCLOSED).trimEnd() ?? ''
    problems.set(mention, { mention, code: 'reference_unclosed', params: { mention } })
  }
  return [...problems.values()]
}

/** Returns whether a name is a field or a key of `meta`. */
export function isKnown(name: string, fields: readonly ReferableField[]): boolean {
  const key = metaKeyOf(name)
  return key === undefined
    ? fields.some((field) => field.name === name)
    : META_KEYS.some((known) => known === key)
}

/** Returns the problem with an unknown reference. */
export function unknownReference(name: string, fields: readonly ReferableField[]): TemplateProblem {
  if (metaKeyOf(name) !== undefined)
    return { mention: name, code: 'unknown_meta_key', params: { name, keys: META_KEYS } }
  const names = fields.map((field) => field.name)
  return { mention: name, code: 'unknown_field', params: { name, fields: names } }
}

function checkExpression(
  expression: LocatedExpression,
  fields: readonly ReferableField[],
): TemplateProblem[] {
  const { name, written: mention, takesLabel, filters } = expression
  const shown = mention.length > MAX_MENTION ? `${mention.slice(0, MAX_MENTION)}…` : mention
  // Each message names the whole expression, so thousands of filters would fill the memory without a limit.
  if (filters.length > MAX_FILTERS)
    return [{ mention, code: 'too_many_filters', params: { mention: shown, max: MAX_FILTERS } }]
  const reference = isKnown(name, fields) ? [] : [unknownReference(name, fields)]
  const hasNoLabels = takesLabel && fields.some((field) => field.name === name && !field.hasOptions)
  const label: Fault = { code: 'labels_missing', params: { mention: shown, name } }
  const faults = [...(hasNoLabels ? [label] : []), ...filters.flatMap((one) => checkFilter(one, shown) ?? [])]
  return [...reference, ...faults.map((fault) => ({ mention, ...fault }))]
}

function checkFilter({ name, value, hasValue }: Filter, mention: string): Fault | undefined {
  const filter = findFilter(name)
  if (!filter) return { code: 'unknown_filter', params: { mention, name, usages: usages() } }
  if (!filter.takesValue)
    return hasValue ? { code: 'filter_value_useless', params: { mention, name } } : undefined
  if (value !== undefined) return undefined
  return { code: 'filter_value_invalid', params: { mention, name } }
}

function usages(): string[] {
  return Object.values(FILTERS).map(({ usage }) => usage)
}
