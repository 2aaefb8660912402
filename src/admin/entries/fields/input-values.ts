import type { EntryInput } from '#src/entries/editing/entry-input.ts'
import { localInputOf } from '#src/lib/locale/local-time.ts'

/**
 * Returns the input values of an entry's form by name, such as `steps.0.title`. A list of texts has one per line;
 * times are in the time zone.
 */
export function inputValues(input: EntryInput, { timeZone }: { timeZone: string }): Record<string, string> {
  const values: Record<string, string> = {
    slug: input.slug,
    title: input.title,
    status: input.status,
    body: input.body,
    publish_at: localTime(input.publishAt, timeZone),
    unpublish_at: localTime(input.unpublishAt, timeZone),
    redirect_from: input.redirectFrom.join('\n'),
  }
  for (const [taxonomy, names] of Object.entries(input.namedTerms))
    values[`named_terms.${taxonomy}`] = names.join(', ')
  for (const [key, value] of Object.entries(input.fields)) addValue(values, key, value)
  return values
}

function addValue(values: Record<string, string>, name: string, value: unknown): void {
  if (!Array.isArray(value)) {
    values[name] = String(value ?? '')
    return
  }
  values[name] = value.filter((item) => typeof item !== 'object').join('\n')
  for (const [index, item] of value.entries()) {
    if (typeof item !== 'object' || item === null) continue
    for (const [key, part] of Object.entries(item)) addValue(values, `${name}.${index}.${key}`, part)
  }
}

// In the format of `datetime-local`; an invalid time is shown as typed.
function localTime(moment: string | null, timeZone: string): string {
  return moment?.endsWith('Z') ? localInputOf(moment, timeZone) : (moment ?? '')
}

/** Counts the items of each list of objects, by the name of the list. */
export function itemCounts(fields: Readonly<Record<string, unknown>>, start = ''): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [key, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) continue
    counts[start + key] = value.length
    for (const [index, item] of value.entries()) {
      if (typeof item === 'object' && item !== null)
        Object.assign(counts, itemCounts(item, `${start}${key}.${index}.`))
    }
  }
  return counts
}
