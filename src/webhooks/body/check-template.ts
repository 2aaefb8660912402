import type { Json } from '../../lib/canonical-json.ts'
import { META_KEYS } from '../delivery-meta.ts'
import { metaKeyOf } from '../reference.ts'
import { type LocatedExpression, listExpressions } from './payload-template.ts'
import { type Filter, findFilter } from './template-expression.ts'
import type { TemplateField } from './template-field.ts'
import { FILTERS } from './template-filters.ts'

/** What a template or a condition may refer to. */
export type ReferableField = Pick<TemplateField, 'name' | 'hasOptions'>

/** A text that is wrong, as it stands there, and a sentence about it without a full stop. */
export interface Problem {
  mention: string
  message: string
}

/** The references, labels, and filters of a template that a form with these fields does not have, each once. */
export function checkTemplate(template: Json, fields: readonly ReferableField[]): Problem[] {
  const problems = listExpressions(template).flatMap((expression) => checkExpression(expression, fields))
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()]
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
  const reference = isKnown(name, fields) ? [] : [unknownReference(name, fields)]
  const hasNoLabels = takesLabel && fields.some((field) => field.name === name && !field.hasOptions)
  const label = `no labels for ${mention}, as ${name} has no choices; use {{${name}}}`
  const messages = [
    ...(hasNoLabels ? [label] : []),
    ...filters.flatMap((one) => checkFilter(one, mention) ?? []),
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
