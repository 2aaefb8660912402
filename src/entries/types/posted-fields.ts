import { numberOr } from '../../lib/number-or.ts'
import { meaningOf } from './builtin/registry.ts'
import type { ContentType } from './content-type-store.ts'
import { presentValues } from './field-values.ts'
import { listSections, NO_SECTIONS, type PageKind } from './page-sections.ts'
import { readChoice } from './read-order.ts'
import type { SchemaField } from './schema-field.ts'

/** Posted form values by name, such as `steps.0.title`. */
export type Posted = ReadonlyMap<string, readonly string[]>

/** Returns the names and values of a posted form, without the `[]` of lists and without files. */
export function toPosted(form: FormData): Posted {
  const posted = new Map<string, string[]>()
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue
    const key = name.replace(/\[\]$/, '')
    posted.getOrInsert(key, []).push(value)
  }
  return posted
}

/**
 * Converts the posted values of a type's fields to their stored form, leaving out empty ones. A value of the wrong
 * type stays text, for `checkRow` to refuse.
 */
export function readPostedFields(type: ContentType, posted: Posted): Record<string, unknown> {
  const values = Object.fromEntries(
    type.fields.map((field) => [
      field.key,
      readMeant(type, field, posted) ?? readField(field, field.key, posted),
    ]),
  )
  return presentValues(type.fields, values)
}

function readMeant({ slug }: ContentType, { key }: SchemaField, posted: Posted): unknown {
  const { posted: as, pageKind } = meaningOf(slug, key) ?? {}
  if (as === 'ids') return (posted.get(key) ?? []).join(',')
  if (pageKind) return readSections(key, pageKind, posted)
  return as === 'text' ? textAt(key, posted) : undefined
}

/** The sections of a page with its own selection; empty if the page follows the site. */
function readSections(name: string, kind: PageKind, posted: Posted): string[] {
  // In the form used by content files and by inputs of earlier pages.
  if (!posted.has(`${name}.all`)) return linesOf(textAt(name, posted))
  if (textAt(`${name}.own`, posted) === '') return []
  const [all, place, shown] = ['all', 'place', 'shown'].map((part) => posted.get(`${name}.${part}`) ?? [])
  const order = { all: all ?? [], place: place ?? [], shown: shown ?? [] }
  const chosen = readChoice(order, listSections(kind))
  return chosen.length === 0 ? [NO_SECTIONS] : chosen
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
])

function readField(field: SchemaField, name: string, posted: Posted): unknown {
  const text = textAt(name, posted)
  switch (field.type) {
    case 'number':
      return numberOr(text)
    case 'boolean':
      return BOOLEANS.get(text) ?? text
    case 'pictures':
      return namesOf(name, posted)
    case 'list':
      return field.fields ? readItems(field.fields, name, posted) : linesOf(text)
    default:
      return text
  }
}

// A text with one name per line, or ticked boxes with one name each.
function namesOf(name: string, posted: Posted): string[] {
  const names = [...(posted.get(name) ?? []), ...(posted.get(`${name}.more`) ?? [])]
  return [...new Set(names.flatMap(linesOf))]
}

/** The items of a list in the order of their numbers, without empty items. */
function readItems(fields: readonly SchemaField[], name: string, posted: Posted): Record<string, unknown>[] {
  return itemNumbers(name, posted)
    .map((number) => readItem(fields, `${name}.${number}`, posted))
    .filter((item) => Object.keys(item).length > 0)
}

function readItem(fields: readonly SchemaField[], name: string, posted: Posted): Record<string, unknown> {
  return presentValues(
    fields,
    Object.fromEntries(fields.map((field) => [field.key, readField(field, `${name}.${field.key}`, posted)])),
  )
}

function itemNumbers(name: string, posted: Posted): number[] {
  const start = `${name}.`
  const numbers = [...posted.keys()]
    .filter((key) => key.startsWith(start))
    .map((key) => Number(key.slice(start.length).split('.')[0]))
    .filter((number) => Number.isInteger(number))
  return [...new Set(numbers)].sort((a, b) => a - b)
}

/** The non-empty lines of a text. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The text under a name in its stored form, with `\n` line breaks; empty if missing. */
export function textAt(name: string, posted: Posted): string {
  return (posted.get(name)?.at(-1) ?? '').replace(/\r\n?/g, '\n').trim()
}
