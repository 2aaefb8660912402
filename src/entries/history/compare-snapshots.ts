import { canonicalJson } from '../../lib/canonical-json.ts'
import type { SchemaField } from '../types/schema-field.ts'
import type { EntrySnapshot } from './entry-snapshot.ts'

const OWN = [
  'title',
  'slug',
  'status',
  'body',
  'publishAt',
  'unpublishAt',
  'redirectFrom',
  'termIds',
] as const

type OwnKey = (typeof OWN)[number]

/** A key of the entry itself, or a field of its type. */
export type ComparedKey = { own: OwnKey } | { field: string; label: string }

/** A value in which two versions of an entry differ. */
export interface ValueChange {
  key: ComparedKey
  before: unknown
  after: unknown
}

/** Lists the values in which two versions of an entry differ; without an earlier version, all that are not empty. */
export function compareSnapshots(
  before: EntrySnapshot | undefined,
  after: EntrySnapshot,
  fields: readonly SchemaField[],
): ValueChange[] {
  const labels = new Map(fields.map(({ key, label }) => [key, label]))
  const keys = new Set([...labels.keys(), ...Object.keys(after.data), ...Object.keys(before?.data ?? {})])
  const own = OWN.map((key) => ({ key: { own: key }, before: before?.[key], after: after[key] }))
  const values = [...keys].map((field) => ({
    key: { field, label: labels.get(field) ?? field },
    before: before?.data[field],
    after: after.data[field],
  }))
  return [...own, ...values].filter((change) => textOf(change.before) !== textOf(change.after))
}

/** Returns the name of a compared value: that of the entry’s own, such as `title`, or `data.` and the field. */
export function nameOfKey(key: ComparedKey): string {
  return 'own' in key ? key.own : `data.${key.field}`
}

/** Returns an entry’s content with the values of these names from another version. */
export function pickValues(
  current: EntrySnapshot,
  version: EntrySnapshot,
  names: ReadonlySet<string>,
): EntrySnapshot {
  const own = OWN.filter((key) => names.has(key)).map((key) => [key, version[key]])
  const isPicked = ([field]: [string, unknown]) => names.has(`data.${field}`)
  const kept = Object.entries(current.data).filter((one) => !isPicked(one))
  const picked = Object.entries(version.data).filter(isPicked)
  return { ...current, ...Object.fromEntries(own), data: Object.fromEntries([...kept, ...picked]) }
}

// Empty values are equal, however they are stored.
function textOf(value: unknown): string {
  const isEmpty =
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return isEmpty ? '' : canonicalJson(value)
}
