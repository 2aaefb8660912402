import type { Json } from '#src/lib/canonical-json.ts'
import { withoutLinks } from '#src/lib/markdown/link-parts.ts'
import { ownValue } from '#src/lib/names/own-value.ts'
import { metaLabel } from './meta-labels.ts'

/** Operators of rules, as in `budget is at least 500`. */
export const operatorLabels = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is not one of',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  includes: 'includes',
  within: 'is in',
  empty: 'is empty',
  not_empty: 'is not empty',
}

/** An evaluated condition: the same tree, each part with its result. Long texts are cut. */
export type ConditionTrace =
  | { kind: 'rule'; rule: string; saw: Json; holds: boolean }
  | { kind: 'all' | 'any'; holds: boolean; of: ConditionTrace[] }
  | { kind: 'not'; holds: boolean; of: ConditionTrace }

/** A question as its form asks it, with what can be chosen. */
interface Question {
  label: string
  options: readonly { label: string; value: string }[]
}

/** Names for what a condition knows by key and slug; without one, the key or slug is shown. */
export interface ConditionNames {
  questions?: ReadonlyMap<string, Question>
  places?: ReadonlyMap<string, string>
  services?: ReadonlyMap<string, string>
}

type TracedRule = Extract<ConditionTrace, { kind: 'rule' }>

interface ReadRule {
  field: string
  op: string
  /** Undefined for an operator without one; the text of a value that was cut. */
  value: Json | undefined
}

const LABELS: Readonly<Record<string, string>> = operatorLabels
/** Shorter names for some subjects of conditions beside the answers and the place. */
const META_NOUNS: Readonly<Record<string, string>> = {
  'meta.page_path': 'the page',
  'meta.page_url': 'the page',
  'meta.service_slug': 'the service',
  'meta.service_name': 'the service',
  'meta.location_name': 'the place',
  'meta.is_test': 'the test flag',
  'meta.referrer': 'the referring page',
  'meta.landing_page': 'the first page',
  'meta.utm_source': 'the campaign source',
  'meta.utm_medium': 'the campaign medium',
  'meta.utm_campaign': 'the campaign',
  'meta.utm_term': 'the search term',
  'meta.utm_content': 'the ad',
}
const PLACE_FIELDS = ['meta.location_slug', 'meta.location_path']
const SERVICE_FIELDS = ['meta.service_slug']
const PLACE_OPERATORS = ['within', 'eq', 'in']
const orList = new Intl.ListFormat('en', { type: 'disjunction' })

/** Says why a condition does not match: `the lead is from Kilkee, County Clare; this webhook is for County Limerick`. */
export function explainTrace(trace: ConditionTrace, names: ConditionNames = {}): string {
  if (trace.kind === 'rule') return `${factOf(trace, names)}; this webhook is for ${targetOf([trace], names)}`
  if (trace.kind === 'not') return `this webhook is not for ${targetOf([trace.of], names)}`
  const failed = trace.of.filter(({ holds }) => !holds)
  const [first] = failed
  if (first && (trace.kind === 'all' || failed.length === 1)) return explainTrace(first, names)
  const facts = new Set(failed.flatMap((part) => factsOf(onlyRule(part), names)))
  return [[...facts].join(' and '), `this webhook is for ${targetOf(failed, names)}`]
    .filter(Boolean)
    .join('; ')
}

/** Names the leads that a condition matches: `Leads from Dallas`. */
export function leadsOfTrace(trace: ConditionTrace, names: ConditionNames = {}): string {
  const parts = trace.kind === 'any' ? trace.of : [trace]
  const places = parts.map((part) => placesNamed(part, names))
  if (places.every((list) => list !== undefined)) return `Leads from ${orList.format(places.flat())}`
  return `Leads where ${orList.format(parts.map((part) => predicateOf(part, names)))}`
}

/** Returns a rule in words: `The place is in Dallas`. */
export function ruleInWords(rule: TracedRule, names: ConditionNames = {}): string {
  const text = predicateOf(rule, names)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The slugs of the places and services that an explanation names. */
export function slugsOfTrace(trace: ConditionTrace): { places: string[]; services: string[] } {
  const rules = rulesOf(trace).map((rule) => ({ ...readRule(rule), saw: rule.saw }))
  const slugsOf = (fields: readonly string[]) =>
    rules
      .filter(({ field }) => fields.includes(field))
      .flatMap(({ value, saw }) => [...[value ?? []].flat().map(String), ...segmentsOf(saw)])
  return { places: slugsOf(PLACE_FIELDS), services: slugsOf(SERVICE_FIELDS) }
}

function rulesOf(trace: ConditionTrace): TracedRule[] {
  return trace.kind === 'rule' ? [trace] : [trace.of].flat().flatMap(rulesOf)
}

/** The rule that a list of one part is. */
function onlyRule(trace: ConditionTrace): TracedRule | undefined {
  if (trace.kind === 'rule') return trace
  const [only, ...more] = trace.kind === 'not' ? [] : trace.of
  return only && more.length === 0 ? onlyRule(only) : undefined
}

function factsOf(rule: TracedRule | undefined, names: ConditionNames): string[] {
  return rule ? [factOf(rule, names)] : []
}

function factOf(trace: TracedRule, names: ConditionNames): string {
  const { field } = readRule(trace)
  const { saw } = trace
  const isEmpty = saw === null || saw === '' || (Array.isArray(saw) && saw.length === 0)
  const about = metaNoun(field)
  if (about && isEmpty) return `the lead has no ${about.replace(/^the /, '')}`
  if (!PLACE_FIELDS.includes(field))
    return `${nounOf(field, names)} is ${isEmpty ? 'empty' : namedValue(field, saw, names)}`
  if (isEmpty) return 'the lead has no place'
  return `the lead is from ${segmentsOf(saw)
    .map((slug) => placeName(slug, names))
    .join(', ')}`
}

// A place and the one above it, the smaller first.
function segmentsOf(path: Json): string[] {
  return typeof path === 'string' ? path.split('/').slice(-2).reverse() : []
}

/** Returns the target of a webhook, of which one part is enough: places by their names, otherwise `leads where …`. */
function targetOf(parts: readonly ConditionTrace[], names: ConditionNames): string {
  const places = parts.map((part) => placesNamed(part, names))
  if (places.every((list) => list !== undefined)) return orList.format(places.flat())
  return `leads where ${orList.format(parts.map((part) => predicateOf(part, names)))}`
}

function placesNamed(trace: ConditionTrace, names: ConditionNames): string[] | undefined {
  const only = onlyRule(trace)
  if (!only) return undefined
  const { field, op, value } = readRule(only)
  if (!PLACE_FIELDS.includes(field) || !PLACE_OPERATORS.includes(op)) return undefined
  return [value ?? []].flat().map((slug) => placeName(String(slug), names))
}

function predicateOf(trace: ConditionTrace, names: ConditionNames): string {
  if (trace.kind === 'not') return `not (${predicateOf(trace.of, names)})`
  if (trace.kind !== 'rule') {
    const parts = trace.of.map((part) => predicateOf(part, names))
    return parts.join(trace.kind === 'all' ? ' and ' : ' or ')
  }
  const { field, op, value } = readRule(trace)
  const values = value === undefined ? [] : [value].flat()
  const shown = values.map((one) => namedValue(field, one, names))
  return [nounOf(field, names), LABELS[op] ?? op, orList.format(shown)].filter(Boolean).join(' ')
}

function nounOf(field: string, { questions }: ConditionNames): string {
  if (PLACE_FIELDS.includes(field)) return 'the place'
  return metaNoun(field) ?? `“${withoutLinks(questions?.get(field)?.label ?? field)}”`
}

function metaNoun(field: string): string | undefined {
  const [, key] = /^meta\.(.+)$/.exec(field) ?? []
  return ownValue(META_NOUNS, field) ?? (key && `the ${uncapitalized(metaLabel(key))}`)
}

// `Kind of source`, but not `Google click ID`.
function uncapitalized(label: string): string {
  return /^(?:Facebook|Google|Microsoft)\b/.test(label)
    ? label
    : label.charAt(0).toLowerCase() + label.slice(1)
}

// The name of a place or service, or the value itself.
function namedValue(field: string, value: Json, names: ConditionNames): string {
  if (PLACE_FIELDS.includes(field)) return placeName(String(value), names)
  const service = SERVICE_FIELDS.includes(field) ? names.services?.get(String(value)) : undefined
  return service ?? shownValue(value, names.questions?.get(field))
}

function placeName(slug: string, { places }: ConditionNames): string {
  return places?.get(slug) ?? slug
}

function shownValue(value: Json, question: Question | undefined): string {
  if (Array.isArray(value)) return value.map((one) => shownValue(one, question)).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'string') return JSON.stringify(value)
  return `“${question?.options.find((option) => option.value === value)?.label ?? value}”`
}

// `budget gte 500`
function readRule({ rule }: TracedRule): ReadRule {
  const [, field = rule, op = '', text = ''] = /^(\S+) (\S+) ?(.*)$/s.exec(rule) ?? []
  return { field, op, value: text === '' ? undefined : readValue(text) }
}

function readValue(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text.replace(/^"/, '')
  }
}
