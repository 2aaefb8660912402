import type { Json } from '../lib/canonical-json.ts'
import { metaKeyOf } from './reference.ts'
import { FILTERS, type FilterName } from './template-filters.ts'

// A closing brace or a pipe may be between quotes.
const EXPRESSION = /\{\{((?:"[^"]*"|'[^']*'|[^{}"'])*|[^{}]*)\}\}/g
const STEP = /(?:^|\|)((?:"[^"]*"|'[^']*'|[^|])*)/g
const FILTER = /^\s*([^\s:]*)\s*(?::(.*))?$/s
const TEXT = /^"([^"]*)"$|^'([^']*)'$/
const NUMBER = /^-?\d+(\.\d+)?$/
const LABEL = '.label'
const WORDS: Readonly<Record<string, Json>> = { true: true, false: false, null: null }

/** An expression in double braces, such as `budget.label | default: "none"`. */
export interface Expression {
  /** As it was written, braces included. */
  written: string
  /** `budget`, or `meta.form_slug`. */
  name: string
  /** True if it asks for the labels of the choices instead of their values. */
  takesLabel: boolean
  filters: readonly Filter[]
}

export interface Filter {
  /** As it was written; see `FilterName`. */
  name: string
  /** Undefined when it has no value, or one that cannot be read. */
  value: Json | undefined
  /** True if it has a value, even one that cannot be read. */
  hasValue: boolean
}

/** A parsed text of a template: plain text and expressions, in order. */
export function parseText(text: string): (string | Expression)[] {
  const parts: (string | Expression)[] = []
  let end = 0
  for (const match of text.matchAll(EXPRESSION)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push(parseExpression(match[0], match[1] ?? ''))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** The filter of that name; undefined when there is none. */
export function findFilter(name: string) {
  return Object.hasOwn(FILTERS, name) ? FILTERS[name as FilterName] : undefined
}

function parseExpression(written: string, inner: string): Expression {
  const [reference = '', ...steps] = [...inner.matchAll(STEP)].map(([, step = '']) => step)
  const name = reference.trim()
  const takesLabel = name.endsWith(LABEL) && metaKeyOf(name) === undefined
  return {
    written,
    name: takesLabel ? name.slice(0, -LABEL.length) : name,
    takesLabel,
    filters: steps.map(parseFilter),
  }
}

function parseFilter(step: string): Filter {
  const [, name = step.trim(), argument] = FILTER.exec(step) ?? []
  if (argument === undefined) return { name, value: undefined, hasValue: false }
  return { name, value: parseValue(argument.trim()), hasValue: true }
}

function parseValue(text: string): Json | undefined {
  const quoted = TEXT.exec(text)
  if (quoted) return quoted[1] ?? quoted[2]
  if (NUMBER.test(text)) return Number(text)
  return Object.hasOwn(WORDS, text) ? WORDS[text] : undefined
}
