import { canonicalJson } from '../../lib/canonical-json.ts'
import type { ContentDocument, EntryDocument } from '../document.ts'

/** The name of an entry's text among its fields. */
export const TEXT = 'text'

/** The keys of an entry's file that its type doesn't define. */
export const OWN = ['title', 'status', 'publish_at', 'unpublish_at', 'redirect_from', 'terms'] as const

/** The two versions of an entry, and what both were at the last sync. */
export interface Sides {
  file: EntryDocument
  row: EntryDocument
  base: ContentDocument | null | undefined
}

/** Returns which side changed a field since the last sync. Without one, every difference counts as both. */
export function changedIn(key: string, { file, row, base }: Sides): 'none' | 'admin' | 'file' | 'both' {
  const [given, stored] = [fieldText(file, key), fieldText(row, key)]
  if (given === stored) return 'none'
  if (base?.kind !== 'entry') return 'both'
  const former = fieldText(base, key)
  if (given === former) return 'admin'
  return stored === former ? 'file' : 'both'
}

/** Lists the keys of both versions. */
export function entryKeys({ file, row }: Sides): string[] {
  return [...new Set([...OWN, ...Object.keys(row.fields), ...Object.keys(file.fields), TEXT])]
}

function fieldText(document: EntryDocument, key: string): string {
  if (key === TEXT) return canonicalJson(document.body)
  return canonicalJson((isOwn(key) ? document[key] : document.fields[key]) ?? null)
}

/** Returns whether a key belongs to the entry itself instead of its type. */
export function isOwn(key: string): key is (typeof OWN)[number] {
  return OWN.some((name) => name === key)
}
