import type { Json } from '../lib/canonical-json.ts'
import { findValue, type Subject } from './reference.ts'

const REFERENCE = /\{\{([^{}]*)\}\}/g
const WHOLE_REFERENCE = /^\{\{([^{}]*)\}\}$/

/**
 * The template with `{{field_name}}` and `{{meta.key}}` replaced inside its string values, in one pass: inserted text
 * is never looked at again. A value that is one reference keeps the JSON type; keys stay as they are (contract §6).
 */
export function renderTemplate(template: Json, subject: Subject): Json {
  if (typeof template === 'string') return renderText(template, subject)
  if (isList(template)) return template.map((part) => renderTemplate(part, subject))
  if (typeof template !== 'object' || template === null) return template
  const rendered = Object.entries(template).map(([key, part]) => [key, renderTemplate(part, subject)])
  return Object.fromEntries(rendered)
}

/** The references in the string values of a template, each once, in the order they appear. */
export function listReferences(template: Json): string[] {
  return [...new Set(referencesIn(template))]
}

function renderText(text: string, subject: Subject): Json {
  const whole = WHOLE_REFERENCE.exec(text)
  if (whole) return findValue(nameIn(whole), subject)
  return text.replace(REFERENCE, (...match) => asText(findValue(nameIn(match), subject)))
}

function referencesIn(template: Json): string[] {
  if (typeof template === 'string') return [...template.matchAll(REFERENCE)].map(nameIn)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(referencesIn)
}

function nameIn(match: readonly string[]): string {
  return (match[1] ?? '').trim()
}

function asText(value: Json): string {
  if (value === null) return ''
  if (isList(value)) return value.map(asText).join(', ')
  // An answer that is an object is a file (contract §5).
  return typeof value === 'object' ? asText(value.name ?? null) : String(value)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
