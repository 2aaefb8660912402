import { type EntryInput, readEntryInput, toEntryInput } from '../../entries/editing/entry-input.ts'
import type { Entry } from '../../entries/entry-store.ts'
import type { ContentType } from '../../entries/types/content-type-store.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { keepUntouched } from '../../lib/posted-text.ts'
import { inputValues } from './fields/input-values.ts'

/**
 * Returns the posted values, but keeps the stored text, list, or time wherever the form came back unchanged: reading
 * a form trims texts and drops seconds, which must not count as an edit.
 */
export function keepStored(
  values: EntryInput,
  { type, entry, timeZone }: { type: ContentType; entry: Entry; timeZone: string },
): EntryInput {
  const stored = toEntryInput(entry, values.termIds)
  const inputs = Object.entries({ ...inputValues(stored, { timeZone }), 'time-zone': timeZone })
  const shown = readEntryInput(type, new Map(inputs.map(([name, text]) => [name, [text]])))
  const { title, body, publishAt, unpublishAt, redirectFrom } = values
  const edited = { title, body, publishAt, unpublishAt, redirectFrom }
  const fields = Object.entries(values.fields).map(([key, value]) => {
    const sides = { shown: shown.fields[key], stored: stored.fields[key] }
    return [key, keptValue(value, sides)]
  })
  return { ...values, ...keepUntouched(edited, { shown, stored }), fields: Object.fromEntries(fields) }
}

function keptValue(value: unknown, { shown, stored }: Record<'shown' | 'stored', unknown>): unknown {
  if (isSame(value, shown)) return stored
  const areLists = Array.isArray(value) && Array.isArray(shown) && Array.isArray(stored)
  // Empty items aren't posted, so items can't be matched by position.
  if (!areLists || shown.length !== stored.length) return value
  return value.map((item) => {
    const index = shown.findIndex((one) => isSame(item, one))
    return index === -1 ? item : stored[index]
  })
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}
