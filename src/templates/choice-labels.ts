import type { Json } from '../lib/canonical-json.ts'
import type { Answers } from './meta.ts'

/** Labels of a form's choices, by field name, then by value. */
export type Choices = ReadonlyMap<string, ReadonlyMap<string, string>>

/** A field with its options as they are stored: `"label/value"`, split at the last slash, or both in one (contract §3). */
interface StoredField {
  name: string
  options: readonly string[]
}

/** The labels of those fields that have options. */
export function toChoices(fields: readonly StoredField[]): Choices {
  const withOptions = fields.filter(({ options }) => options.length > 0)
  return new Map(withOptions.map(({ name, options }) => [name, new Map(options.map(toChoice))]))
}

/** The label of a value, or of each in a list; a value that is not among the options stands for itself. */
export function labelOf(value: Json, labels: ReadonlyMap<string, string> | undefined): Json {
  if (Array.isArray(value)) return value.map((part) => labelOf(part, labels))
  return typeof value === 'string' ? (labels?.get(value) ?? value) : value
}

/** The labels of all answers to choices, by field name. */
export function labelsOf(answers: Answers, choices: Choices): Record<string, Json> {
  const chosen = [...choices].filter(([name]) => Object.hasOwn(answers, name))
  return Object.fromEntries(chosen.map(([name, labels]) => [name, labelOf(answers[name] ?? null, labels)]))
}

function toChoice(option: string): [value: string, label: string] {
  const slash = option.lastIndexOf('/')
  const label = slash === -1 ? option : option.slice(0, slash)
  return [option.slice(slash + 1).trim(), label.trim()]
}
