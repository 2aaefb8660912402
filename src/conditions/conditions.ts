import { z } from 'zod'
import type { Json } from '../lib/canonical-json.ts'
import { addProblem, problemOf, rule } from '../messages/files/rules/schema-rule.ts'
import { META_KEYS } from '../templates/meta.ts'
import { metaKeyOf } from '../templates/reference.ts'
import { list, OPERATOR_NAMES, OPERATORS, type OperatorName, scalar } from './operators.ts'

const FIELD_NAME = /^[a-z][a-z0-9_]{0,62}$/
/** Most levels of lists and objects in a condition. */
export const MAX_CONDITION_DEPTH = 20

/** The keys of `meta` that conditions may use: conditions are judged before the delivery exists. */
export const CONDITION_META_KEYS = META_KEYS.filter((key) => key !== 'delivery_id')

/** `fire_on` as it was written, in the short or the full form of contract §6; made by `conditionSchema` only. */
export type Condition = { readonly [key: string]: Json }

/** A condition in the full form, with every short form expanded. */
export type ConditionTree =
  | { kind: 'all' | 'any'; of: ConditionTree[] }
  | { kind: 'not'; of: ConditionTree }
  | Rule

export interface Rule {
  kind: 'rule'
  field: string
  op: OperatorName
  value?: Json
}

const field = z.string().superRefine((name, context) => {
  const key = metaKeyOf(name)
  if (key === undefined && !FIELD_NAME.test(name)) addProblem(context, { path: [], code: 'condition_field' })
  if (key !== undefined && !CONDITION_META_KEYS.some((known) => known === key))
    addProblem(context, {
      path: [],
      code: 'unknown_meta_key',
      params: { name, keys: CONDITION_META_KEYS },
    })
})
const op = z.enum(OPERATOR_NAMES)

/** Replaces a condition: applies when nothing else does. */
export const FALLBACK_MARK = { fallback: true } as const

/** Accepts exactly the conditions of contract §6; null is up to the caller. */
export const conditionSchema = z.unknown().superRefine((value, context) => {
  if (isDeeperThan(value, MAX_CONDITION_DEPTH))
    addProblem(context, { path: [], code: 'conditions_too_deep', params: { max: MAX_CONDITION_DEPTH } })
  else if (JSON.stringify(value) === JSON.stringify(FALLBACK_MARK))
    addProblem(context, { path: [], code: 'fallback_elsewhere' })
  else if (!isEmptyObject(value)) checkCondition(value, context)
}) as unknown as z.ZodType<Condition, Condition>

/** The same condition in its full form. `{}` is `all` of nothing, which always holds. */
export function toConditionTree(condition: Condition): ConditionTree {
  const { all, any, not, field: name, op: operator, value } = condition
  switch (formOf(condition)) {
    case 'all':
      return { kind: 'all', of: (all as Condition[]).map(toConditionTree) }
    case 'any':
      return { kind: 'any', of: (any as Condition[]).map(toConditionTree) }
    case 'not':
      return { kind: 'not', of: toConditionTree(not as Condition) }
    case 'rule':
      return { kind: 'rule', field: name, op: operator, value } as Rule
    case 'short':
      return { kind: 'all', of: Object.entries(condition).map(toShortRule) }
  }
}

/** The field names and `meta.<key>` that a condition uses, each once. */
export function listConditionFields(condition: Condition): string[] {
  return [...new Set(fieldsOf(toConditionTree(condition)))]
}

function fieldsOf(tree: ConditionTree): string[] {
  if (tree.kind === 'rule') return [tree.field]
  return tree.kind === 'not' ? fieldsOf(tree.of) : tree.of.flatMap(fieldsOf)
}

function toShortRule([name, value]: [string, Json]): Rule {
  const op = Array.isArray(value) ? 'in' : 'eq'
  return { kind: 'rule', field: name, op, value } as Rule
}

// An object with one of the full form's words is in the full form, even if a form has a field of that name: a mistake
// there must never be taken for a condition on such a field.
function formOf(value: object): 'all' | 'any' | 'not' | 'rule' | 'short' {
  if (Object.hasOwn(value, 'field') || Object.hasOwn(value, 'op')) return 'rule'
  return (['all', 'any', 'not'] as const).find((word) => Object.hasOwn(value, word)) ?? 'short'
}

function schemaFor(value: object): z.ZodType {
  const form = formOf(value)
  if (form !== 'rule') return FORMS[form]
  const known = op.safeParse('op' in value ? value.op : undefined)
  return known.success ? RULES[known.data] : unknownRule
}

function ruleSchema(operator: OperatorName): z.ZodType {
  const { field: only, value } = OPERATORS[operator]
  const schema = value ? z.strictObject({ field, op, value }) : z.strictObject({ field, op })
  if (only === undefined) return schema
  return schema.refine((parsed) => parsed.field === only, {
    ...rule('operator_elsewhere', { operator, field: only }),
    path: ['field'],
  })
}

const nested = z.unknown().superRefine(checkCondition)
const nestedList = z.array(nested, rule('conditions')).min(1, rule('first_condition'))

const shortForm = z.unknown().superRefine((value, context) => {
  for (const [name, expected] of Object.entries(value as object)) {
    addIssues(context, [name], field.safeParse(name))
    addIssues(context, [name], (Array.isArray(expected) ? list : scalar).safeParse(expected))
  }
})

// Made once: the webhooks of a form are read again and again while it is posted, and making a schema takes longer than
// using it.
const FORMS = {
  all: z.strictObject({ all: nestedList }),
  any: z.strictObject({ any: nestedList }),
  not: z.strictObject({ not: nested }),
  short: shortForm,
}
const RULES = Object.fromEntries(OPERATOR_NAMES.map((name) => [name, ruleSchema(name)])) as Record<
  OperatorName,
  z.ZodType
>
const unknownRule = z.looseObject({ op })

function checkCondition(value: unknown, context: z.RefinementCtx) {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isEmptyObject(value)) {
    addProblem(context, { path: [], code: 'condition' })
    return
  }
  addIssues(context, [], schemaFor(value).safeParse(value))
}

function addIssues(context: z.RefinementCtx, path: string[], result: z.ZodSafeParseResult<unknown>) {
  for (const issue of result.error?.issues ?? []) {
    addProblem(context, { ...problemOf(issue), path: [...path, ...issue.path] })
  }
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  )
}

/** Returns whether lists and objects are nested deeper than this number of levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1))
}

const LEVELS: Record<string, number> = { '[': 1, '{': 1, ']': -1, '}': -1 }

/** Returns the same of JSON text, valid or not. Parsing many levels takes long enough to delay other requests. */
export function isTextDeeperThan(text: string, levels: number): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length && depth <= levels; at += 1) {
    const sign = text.charAt(at)
    if (isInString && sign === '\\') at += 1
    else if (sign === '"') isInString = !isInString
    else if (!isInString) depth += LEVELS[sign] ?? 0
  }
  return depth > levels
}
