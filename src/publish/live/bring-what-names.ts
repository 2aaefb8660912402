import type { Db } from '../../db/schema.ts'
import type { Entry } from '../../entries/entry-store.ts'
import type { Named } from '../../entries/meanings/meaning.ts'
import { loadPlaces } from '../../entries/offers/load-places.ts'
import { locationOfPattern, renamePlaceInPattern } from '../../entries/offers/offered-in.ts'
import { rulesOf } from '../../entries/types/builtin/registry.ts'
import { findContentType } from '../../entries/types/content-type-store.ts'
import { bringTerm } from './bring-references.ts'
import { listRows } from './content-row-store.ts'

/**
 * Returns an entry's data with references changed to the names in the live content; undefined if they are the same.
 * Missing places are copied into the live content.
 */
export async function bringWhatNames(
  live: Db,
  db: Db,
  { type, entry }: { type: string; entry: Entry },
): Promise<Entry['data'] | undefined> {
  const changed: Record<string, unknown> = {}
  for (const [key, { named }] of Object.entries(rulesOf(type).meanings)) {
    const value = entry.data[key]
    if (!named || value === undefined || value === null) continue
    const names = [value].flat().map(String)
    const lived: string[] = []
    for (const name of names) lived.push(await toLiveName(live, db, named(name, key), name))
    if (lived.join('\n') !== names.join('\n')) changed[key] = Array.isArray(value) ? lived : lived[0]
  }
  return Object.keys(changed).length > 0 ? { ...entry.data, ...changed } : undefined
}

async function toLiveName(live: Db, db: Db, reference: Named, name: string): Promise<string> {
  if (reference.to === 'locations') return toLivePattern(live, db, name)
  if (reference.to !== 'entry') return name
  const typeId = (await findContentType(db, reference.type))?.id
  const saved = await listRows(db, 'content_entries', 'slug', [name])
  const id = saved.find((row) => row.type_id === typeId)?.id
  const [row] = id === undefined ? [] : await listRows(live, 'content_entries', 'id', [id])
  return row ? String(row.slug) : name
}

async function toLivePattern(live: Db, db: Db, pattern: string): Promise<string> {
  const from = locationOfPattern(pattern) ?? ''
  const id = (await loadPlaces(db)).bySlug.get(from)?.id
  if (id === undefined) return pattern
  await bringTerm(live, db, id)
  const [row] = await listRows(live, 'taxonomy_terms', 'id', [id])
  return row ? renamePlaceInPattern(pattern, { from, to: String(row.slug) }) : pattern
}
