import { createMessages, type MessageOf } from '#src/lib/messages.ts'
import { EXPECTED_IN_ENTRIES, FAULTS_OF_ENTRIES, FAULTS_OF_TYPES } from './entries.ts'
import { EXPECTED_IN_FORMS, FAULTS_OF_FORMS } from './forms.ts'
import { EXPECTED_IN_SETTINGS, FAULTS_OF_SETTINGS, FAULTS_OF_TAXONOMIES } from './site.ts'
import { EXPECTED_VALUES, FAULTS_OF_VALUES } from './values.ts'
import { EXPECTED_IN_WEBHOOKS, FAULTS_OF_WEBHOOKS } from './webhooks.ts'

const EXPECTED = {
  ...EXPECTED_VALUES,
  ...EXPECTED_IN_FORMS,
  ...EXPECTED_IN_WEBHOOKS,
  ...EXPECTED_IN_ENTRIES,
  ...EXPECTED_IN_SETTINGS,
}

const FAULTS = {
  ...FAULTS_OF_VALUES,
  ...FAULTS_OF_FORMS,
  ...FAULTS_OF_WEBHOOKS,
  ...FAULTS_OF_ENTRIES,
  ...FAULTS_OF_TYPES,
  ...FAULTS_OF_SETTINGS,
  ...FAULTS_OF_TAXONOMIES,
}

export type Expectation = MessageOf<typeof EXPECTED>
export type Fault = MessageOf<typeof FAULTS>

/** A broken rule, in files and forms alike: what is expected of a value, or what is wrong. */
export type Rule = Expectation | Fault

/** A broken rule and its place, such as `['fields', 2, 'name']`. */
export type Problem = Rule & { path: readonly PropertyKey[] }

const describeExpectation = createMessages(EXPECTED)
const describeFault = createMessages(FAULTS)

export function isExpectation(rule: Rule): rule is Expectation {
  return Object.hasOwn(EXPECTED, rule.code)
}

export function isRuleCode(code: string): code is Rule['code'] {
  return Object.hasOwn(EXPECTED, code) || Object.hasOwn(FAULTS, code)
}

/** Says what is wrong or expected, as a part of a sentence. */
export function describeRule(rule: Rule): string {
  return isExpectation(rule) ? `expected ${describeExpectation(rule)}` : describeFault(rule)
}

/** Says what to enter in a form, or what is wrong, as a part of a sentence. */
export function adviceOf(rule: Rule): string {
  return isExpectation(rule) ? `enter ${describeExpectation(rule)}` : describeFault(rule)
}

/** The same as its own sentence. */
export function ruleSentence(rule: Rule): string {
  const text = adviceOf(rule)
  return endSentence(`${text.charAt(0).toUpperCase()}${text.slice(1)}`)
}

/** Adds the period, unless the text ends with a question. */
export function endSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}
