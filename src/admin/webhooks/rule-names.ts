import type { ConditionRows, RuleInput } from '../../conditions/condition-rows.ts'
import { OPERATORS, type OperatorName } from '../../conditions/operators.ts'
import type { Db } from '../../db/schema.ts'
import type { RuleProblem } from '../../messages/admin/webhooks/rule-problems.ts'
import { findByName, uniqueNameOf } from '../../submissions/search/find-by-name.ts'
import { listPlaceNames, listServiceNames, type Named } from '../../submissions/search/names-store.ts'

/** Fields whose values are slugs in a condition and names in the editor. */
const NAMED_FIELDS: Readonly<Record<string, Named['kind']>> = {
  'meta.location_slug': 'place',
  'meta.service_slug': 'service',
}
const SLUG = /^[a-z0-9-]+$/

/** Returns what the values of a field name, if not text. */
export function kindOfField(field: string): Named['kind'] | undefined {
  return Object.hasOwn(NAMED_FIELDS, field) ? NAMED_FIELDS[field] : undefined
}

/** Replaces slugs of places and services by their names, where a name means only that one. */
export async function showRuleNames(db: Db, rules: readonly RuleInput[]): Promise<RuleInput[]> {
  const named = await loadNames(db, rules)
  return rules.map((rule) => {
    const known = namesFor(rule, named)
    const nameOf = (slug: string) => uniqueNameOf(known ?? [], slug) ?? slug
    const shown = partsOf(rule).map((slug) =>
      isList(rule) && nameOf(slug).includes(',') ? slug : nameOf(slug),
    )
    return known ? { ...rule, value: shown.join(', ') } : rule
  })
}

/** Replaces names of places and services by their slugs, and lists the problems with rules. Unknown slugs stay. */
export async function readRuleNames(
  db: Db,
  { match, rules }: Pick<ConditionRows, 'rules'> & { match: string },
): Promise<{ rules: RuleInput[]; problems: RuleProblem[] }> {
  if (match !== 'all' && match !== 'any') return { rules, problems: [] }
  const named = await loadNames(db, rules)
  const read = rules.map((rule) => readRule(rule, namesFor(rule, named)))
  return { rules: read.map(({ rule }) => rule), problems: read.flatMap(({ problems }) => problems) }
}

function readRule(rule: RuleInput, named: readonly Named[] | undefined) {
  const { field, op, value } = rule
  const fail = (problem: RuleProblem) => ({ rule, problems: [problem] })
  if (field === '' && value.trim() !== '') return fail({ code: 'rule_field_missing', params: { value } })
  const only = operatorOf(op)?.field
  if (field !== '' && only && field !== only) return fail({ code: 'place_operator_elsewhere' })
  const kind = kindOfField(field)
  if (!named || !kind) return { rule, problems: [] }
  const problems: RuleProblem[] = []
  const slugs = partsOf(rule).map((text) => {
    const found = findByName(named, text)
    if (found.kind === 'found') return found.slug
    if (found.kind === 'ambiguous')
      problems.push({ code: 'name_ambiguous', params: { kind, text, slugs: found.slugs } })
    else if (!SLUG.test(text))
      problems.push({ code: 'name_unknown', params: { kind, text, near: found.near } })
    return text
  })
  if (slugs.length === 0) return fail({ code: 'rule_value_missing', params: { kind } })
  return { rule: { ...rule, value: slugs.join(', ') }, problems }
}

async function loadNames(db: Db, rules: readonly RuleInput[]) {
  const has = (kind: Named['kind']) => rules.some(({ field }) => kindOfField(field) === kind)
  return {
    place: has('place') ? await listPlaceNames(db) : [],
    service: has('service') ? await listServiceNames(db) : [],
  }
}

// Undefined for a rule whose value is not a whole name.
function namesFor({ field, op }: RuleInput, named: Record<Named['kind'], Named[]>): Named[] | undefined {
  const kind = kindOfField(field)
  return kind && operatorOf(op)?.isWhole ? named[kind] : undefined
}

function partsOf(rule: RuleInput): string[] {
  const parts = isList(rule) ? rule.value.split(',') : [rule.value]
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function isList({ op }: RuleInput): boolean {
  return operatorOf(op)?.typedAs === 'list'
}

function operatorOf(op: string) {
  return Object.hasOwn(OPERATORS, op) ? OPERATORS[op as OperatorName] : undefined
}
