import { keepUntouched } from '../../lib/posted-text.ts'
import type { DraftDefinition } from '../edit-form.ts'
import type { FormDefinition } from '../form-definition.ts'
import { toFormField } from './field-definition.ts'
import { toFieldDraft, toFieldTexts } from './field-input.ts'

type Change = (definition: FormDefinition) => DraftDefinition

/**
 * Puts a field at the end, or in the place of the one of that name, of which it keeps what nobody touched. For
 * `editForm`, which checks it.
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

/** Takes a field out; answers to it stay under its name. */
export function removeField(name: string): Change {
  return (definition) => ({ ...definition, fields: definition.fields.filter((field) => field.name !== name) })
}

/** Moves a field by that many places; at an end it stays. */
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

/** Puts fields in this order; those that are not named (added by someone else meanwhile) follow as they stood. */
export function orderFields(names: readonly string[]): Change {
  return (definition) => {
    const place = new Map(names.map((name, index) => [name, index]))
    const placeOf = ({ name }: { name: string }) => place.get(name) ?? names.length
    return { ...definition, fields: definition.fields.toSorted((a, b) => placeOf(a) - placeOf(b)) }
  }
}

/** Returns the position of a field in `problems` paths; the end for a new one. */
export function fieldIndex(
  { fields }: { fields: readonly { name: string }[] },
  name: string | undefined,
): number {
  const index = fields.findIndex((field) => field.name === name)
  return index === -1 ? fields.length : index
}
