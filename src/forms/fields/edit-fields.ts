import { keepUntouched } from '../../lib/posted-text.ts'
import type { DraftDefinition } from '../edit-form.ts'
import type { FormDefinition } from '../form-definition.ts'
import { toFormField } from './field-definition.ts'
import { toFieldDraft, toFieldTexts } from './field-input.ts'

type Change = (definition: FormDefinition) => DraftDefinition

/**
 * Appends a field, or replaces the one with that name and keeps its untouched parts. For `editForm`, which
 * checks it.
 */
export function putField(field: object, replaced?: string): Change {
  return (definition) => {
    const stored = definition.fields.find(({ name }) => name === replaced)
    if (!stored) return { ...definition, fields: [...definition.fields, field] }
    const shown = toFieldDraft(toFieldTexts(toFormField(stored)))
    const kept = keepUntouched(field, { shown, stored })
    return { ...definition, fields: definition.fields.map((one) => (one === stored ? kept : one)) }
  }
}

/** Removes a field; stored answers keep its name. */
export function removeField(name: string): Change {
  return (definition) => ({ ...definition, fields: definition.fields.filter((field) => field.name !== name) })
}

/** Moves a field by that many positions, stopping at either end. */
export function moveField(name: string, places: number): Change {
  return (definition) => {
    const fields = [...definition.fields]
    const from = fields.findIndex((field) => field.name === name)
    if (from === -1) return definition
    const [moved] = fields.splice(from, 1)
    fields.splice(Math.max(0, from + places), 0, ...(moved ? [moved] : []))
    return { ...definition, fields }
  }
}

/**
 * Puts fields in this order. Fields not listed, such as one that someone just added, follow in their previous
 * order.
 */
export function orderFields(names: readonly string[]): Change {
  return (definition) => {
    const place = new Map(names.map((name, index) => [name, index]))
    const placeOf = ({ name }: { name: string }) => place.get(name) ?? names.length
    return { ...definition, fields: definition.fields.toSorted((a, b) => placeOf(a) - placeOf(b)) }
  }
}

/** Returns a field's position in `problems` paths; for a new field, the end. */
export function fieldIndex(
  { fields }: { fields: readonly { name: string }[] },
  name: string | undefined,
): number {
  const index = fields.findIndex((field) => field.name === name)
  return index === -1 ? fields.length : index
}
