import { numberOr } from '../../lib/number-or.ts'
import { meaningOf } from './builtin/registry.ts'
import type { ContentType } from './content-type-store.ts'
import { presentValues } from './field-values.ts'
import { NO_SECTIONS } from './page-sections.ts'
import { readOrder } from './read-order.ts'
import type { SchemaField } from './schema-field.ts'

/** Values that a form posted, all under each name, such as `steps.0.title`. */
export type Posted = ReadonlyMap<string, readonly string[]>

/** The names and values of a posted form, without the `[]` of lists; files are left out. */
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
 * The values of a type's fields as they were posted, in the form in which they are stored; empty ones are left out. A
 * value that is not of its field's type stays the text it was, for `checkRow` to refuse.
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
  const as = meaningOf(slug, key)?.posted
  if (as === 'ids') return (posted.get(key) ?? []).join(',')
  if (as === 'order') return readSections(key, posted)
  return as === 'text' ? textAt(key, posted) : undefined
}

/** The sections of a page that has its own; empty when the page follows the site. */
function readSections(name: string, posted: Posted): string[] {
  // As a content file or the inputs of an earlier page name them.
  if (!posted.has(`${name}.all`)) return linesOf(textAt(name, posted))
  if (textAt(`${name}.own`, posted) === '') return []
  const [all, place, shown] = ['all', 'place', 'shown'].map((part) => posted.get(`${name}.${part}`) ?? [])
  const chosen = readOrder({ all: all ?? [], place: place ?? [], shown: shown ?? [] })
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

// A text with one name on each line, and ticked boxes with one name each.
function namesOf(name: string, posted: Posted): string[] {
  const names = [...(posted.get(name) ?? []), ...(posted.get(`${name}.more`) ?? [])]
  return [...new Set(names.flatMap(linesOf))]
}

/** The items of a list in the order of their numbers; an item with nothing in it is none. */
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

/** The lines of a text that are not empty. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** The text under a name as it is stored, with line breaks of one kind; empty when there is none. */
export function textAt(name: string, posted: Posted): string {
  return (posted.get(name)?.at(-1) ?? '').replace(/\r\n?/g, '\n').trim()
}
