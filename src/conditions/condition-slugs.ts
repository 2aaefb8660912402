import type { Json } from '../lib/canonical-json.ts'
import type { Subject } from '../templates/reference.ts'
import { type Condition, type ConditionTree, type Rule, toConditionTree } from './conditions.ts'
import { OPERATORS } from './operators.ts'

/** Slugs of places and services. */
export interface Slugs {
  places: readonly string[]
  services: readonly string[]
}

/** Today's slugs of places and services by former ones that nothing else has today. */
export interface Renamed {
  places: ReadonlyMap<string, string>
  services: ReadonlyMap<string, string>
}

export const NOTHING_RENAMED: Renamed = { places: new Map(), services: new Map() }

/** A subject of conditions, which name places and services by any of their slugs. */
export interface JudgedSubject extends Subject {
  renamed: Renamed
}

/** The parts of `meta` that are slugs, or slugs joined by `/`. */
const SLUG_KEYS = {
  location_slug: 'places',
  location_path: 'places',
  service_slug: 'services',
} as const satisfies Record<string, keyof Renamed>

const SLUGS_BY_FIELD = new Map<string, keyof Renamed>(
  Object.entries(SLUG_KEYS).map(([key, kind]) => [`meta.${key}`, kind]),
)

/** Lists the slugs that conditions compare with those of leads, each once. */
export function slugsOfConditions(conditions: readonly (Condition | null)[]): Slugs {
  const rules = conditions.flatMap((condition) =>
    condition === null ? [] : rulesOf(toConditionTree(condition)),
  )
  const slugsOf = (kind: keyof Renamed) => [
    ...new Set(
      rules
        .filter((rule) => kindOf(rule) === kind)
        .flatMap(valuesOf)
        .flatMap(partsOf),
    ),
  ]
  return { places: slugsOf('places'), services: slugsOf('services') }
}

/** Lists the slugs of leads, each once. */
export function slugsOfLeads(metas: readonly Subject['meta'][]): Slugs {
  const slugsOf = (kind: keyof Renamed) => {
    const keys = Object.entries(SLUG_KEYS).filter(([, one]) => one === kind)
    const values = metas.flatMap((meta) => keys.map(([key]) => meta[key] ?? ''))
    return [...new Set(values.map(String).flatMap(partsOf))]
  }
  return { places: slugsOf('places'), services: slugsOf('services') }
}

/** The subject with today's slugs of its place and service. */
export function withTodaysSlugs(subject: JudgedSubject): JudgedSubject {
  const { meta, renamed } = subject
  if (renamed.places.size + renamed.services.size === 0) return subject
  const changed = Object.entries(SLUG_KEYS).map(([key, kind]) => [
    key,
    today(meta[key] ?? null, renamed[kind]),
  ])
  return { ...subject, meta: { ...meta, ...Object.fromEntries(changed) } }
}

/** The rule with today's slugs. */
export function ruleWithTodaysSlugs(rule: Rule, renamed: Renamed): Rule {
  const kind = kindOf(rule)
  if (!kind || renamed[kind].size === 0 || rule.value === undefined) return rule
  return { ...rule, value: today(rule.value, renamed[kind]) }
}

function today(value: Json, slugs: Renamed[keyof Renamed]): Json {
  if (Array.isArray(value)) return value.map((one) => today(one, slugs))
  if (typeof value !== 'string') return value
  return value
    .split('/')
    .map((slug) => slugs.get(slug) ?? slug)
    .join('/')
}

// Parts of a slug, as of `starts_with`, are texts.
function kindOf({ field, op }: Rule): keyof Renamed | undefined {
  return OPERATORS[op].isWhole ? SLUGS_BY_FIELD.get(field) : undefined
}

/** The rules of a condition, in order. */
export function rulesOf(tree: ConditionTree): Rule[] {
  return tree.kind === 'rule' ? [tree] : [tree.of].flat().flatMap(rulesOf)
}

/** The values that a rule compares with. */
export function valuesOf({ value = null }: Rule): Json[] {
  return Array.isArray(value) ? value : [value]
}

function partsOf(value: Json): string[] {
  return typeof value === 'string' ? value.split('/').filter((slug) => slug !== '') : []
}
