import type { Json } from '../lib/canonical-json.ts'
import { type Choices, labelOf } from './choice-labels.ts'
import { findValue, type Subject } from './reference.ts'
import { type Expression, findFilter, parseText } from './template-expression.ts'
import { asText } from './template-filters.ts'

const OPENING = '{{'

/** The values that fill a template. */
export interface TemplateSubject extends Subject {
  choices: Choices
}

/** A parsed template, rendered many times. */
export type Template = (subject: TemplateSubject) => Json

/**
 * Parses a template. Expressions inside its string values are replaced in one pass: inserted text is never parsed
 * again. A value that is a single expression keeps its JSON type; keys stay unchanged (contract §6).
 */
export function parseTemplate(template: Json): Template {
  if (typeof template === 'string') return parseString(template)
  if (isList(template)) {
    const parts = template.map(parseTemplate)
    return (subject) => parts.map((part) => part(subject))
  }
  if (typeof template !== 'object' || template === null) return () => template
  const parts = Object.entries(template).map(([key, part]) => [key, parseTemplate(part)] as const)
  return (subject) => Object.fromEntries(parts.map(([key, part]) => [key, part(subject)]))
}

/** A text with its expressions replaced, each by what a person reads. */
export function fillText(template: string, subject: TemplateSubject): string {
  return asText(parseString(template)(subject))
}

/** An expression with the place of its string: `['embeds', 0, 'value']`. */
export interface LocatedExpression extends Expression {
  path: readonly (string | number)[]
  /** True if the string is nothing but this expression. */
  isWhole: boolean
}

/** The expressions in the string values of a template, in the order they appear. */
export function listExpressions(template: Json): LocatedExpression[] {
  return listTexts(template).flatMap(({ path, parts }) => {
    const isWhole = parts.length === 1
    return parts.flatMap((part) => (typeof part === 'string' ? [] : [{ ...part, path, isWhole }]))
  })
}

/** The plain texts of a template from each `{{` that is never closed: they are sent as they are. */
export function listUnclosed(template: Json): string[] {
  const texts = listTexts(template).flatMap(({ parts }) => parts.filter((part) => typeof part === 'string'))
  return texts.filter((text) => text.includes(OPENING)).map((text) => text.slice(text.indexOf(OPENING)))
}

/** A parsed string value of a template and its place. */
interface LocatedText {
  path: readonly (string | number)[]
  parts: (string | Expression)[]
}

function listTexts(template: Json, path: readonly (string | number)[] = []): LocatedText[] {
  if (typeof template === 'string') return [{ path, parts: parseText(template) }]
  if (isList(template)) return template.flatMap((part, index) => listTexts(part, [...path, index]))
  if (typeof template !== 'object' || template === null) return []
  return Object.entries(template).flatMap(([key, part]) => listTexts(part, [...path, key]))
}

/** The names that a template refers to, each once, in the order they appear. */
export function listReferences(template: Json): string[] {
  return [...new Set(listExpressions(template).map(({ name }) => name))]
}

function parseString(text: string): Template {
  const parts = parseText(text)
  const [only] = parts
  if (parts.length === 1 && typeof only === 'object') return (subject) => evaluate(only, subject)
  return (subject) =>
    parts.map((part) => (typeof part === 'string' ? part : asText(evaluate(part, subject)))).join('')
}

function evaluate({ name, takesLabel, filters }: Expression, subject: TemplateSubject): Json {
  const found = findValue(name, subject)
  const start = takesLabel ? labelOf(found, subject.choices.get(name)) : found
  return filters.reduce((value, filter) => applyFilter(value, filter), start)
}

function applyFilter(value: Json, { name, value: argument = null }: Expression['filters'][number]): Json {
  return findFilter(name)?.apply(value, argument) ?? value
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
