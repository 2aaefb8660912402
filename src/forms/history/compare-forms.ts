import { canonicalJson } from '../../lib/canonical-json.ts'
import type { FieldDefinition } from '../fields/field-definition.ts'
import type { FormSettings } from '../form-settings.ts'
import type { FormSnapshot } from './record-form.ts'

type OwnKey = 'name' | 'slug' | 'description' | 'status'

/** A key of the form, one of its settings, the order of its fields, or a field or one of its parts. */
export type FormKey =
  | { own: OwnKey }
  | { setting: keyof FormSettings }
  | { order: true }
  | { question: string; part?: keyof FieldDefinition }

/** A value in which two versions of a form differ. */
export interface FormChange {
  key: FormKey
  before: unknown
  after: unknown
}

/** Lists the values in which two versions of a form differ; without an earlier version, all that are not empty. */
export function compareForms(before: FormSnapshot | undefined, after: FormSnapshot): FormChange[] {
  const own = (['name', 'slug', 'description', 'status'] as const).map((key) => ({
    ...{ key: { own: key }, before: before?.[key], after: after[key] },
  }))
  const keys = new Set([...Object.keys(after.settings), ...Object.keys(before?.settings ?? {})])
  const settings = ([...keys] as (keyof FormSettings)[]).map((setting) => ({
    ...{ key: { setting }, before: before?.settings[setting], after: after.settings[setting] },
  }))
  const changes = [...own, ...settings, ...compareQuestions(before?.fields ?? [], after.fields)]
  return changes.filter((change) => textOf(change.before) !== textOf(change.after))
}

function compareQuestions(
  before: readonly FieldDefinition[],
  after: readonly FieldDefinition[],
): FormChange[] {
  const former = new Map(before.map((field) => [field.name, field]))
  const names = new Set([...after, ...before].map(({ name }) => name))
  const next = new Map(after.map((field) => [field.name, field]))
  const questions = [...names].flatMap((name) => compareQuestion(former.get(name), next.get(name)))
  const kept = (fields: readonly FieldDefinition[]) =>
    fields.filter((field) => former.has(field.name) && next.has(field.name))
  const order = (fields: readonly FieldDefinition[]) => kept(fields).map(({ name }) => name)
  const labels = (fields: readonly FieldDefinition[]) => fields.map(({ label }) => label)
  if (textOf(order(before)) === textOf(order(after))) return questions
  return [...questions, { key: { order: true }, before: labels(before), after: labels(after) }]
}

function compareQuestion(
  before: FieldDefinition | undefined,
  after: FieldDefinition | undefined,
): FormChange[] {
  const question = (after ?? before)?.label ?? ''
  if (!before || !after) return [{ key: { question }, before: partsOf(before), after: partsOf(after) }]
  return (Object.keys(after) as (keyof FieldDefinition)[]).map((part) => ({
    ...{ key: { question, part }, before: before[part], after: after[part] },
  }))
}

// The non-empty parts of a field that was added or removed.
function partsOf(field: FieldDefinition | undefined) {
  return (
    field && Object.fromEntries(Object.entries(field).filter(([, value]) => value && textOf(value) !== ''))
  )
}

// Empty values are equal, however they are stored.
function textOf(value: unknown): string {
  const isEmpty =
    value === null ||
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  return isEmpty ? '' : canonicalJson(value)
}
