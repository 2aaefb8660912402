import type { Entry } from '../entry-store.ts'
import { rulesOf } from './builtin/registry.ts'

/** Slugs by ID of the entries that others refer to, by type. */
export type SlugsById = ReadonlyMap<string, ReadonlyMap<number, string>>

/** Returns the types whose entries an entry of this type refers to by ID. */
export function typesReferredTo(typeSlug: string): Set<string> {
  return new Set(Object.values(rulesOf(typeSlug).meanings).flatMap(({ idsOf }) => idsOf ?? []))
}

/** Returns an entry's data as its file has it: without the keys that its path contains, and with slugs instead of IDs. */
export function dataInFiles(typeSlug: string, data: Entry['data'], slugs: SlugsById): Entry['data'] {
  const meanings = new Map(Object.entries(rulesOf(typeSlug).meanings))
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) => {
      const { inFiles, idsOf } = meanings.get(key) ?? {}
      if (inFiles === 'path') return []
      if (idsOf === undefined || typeof value !== 'string') return [[key, value]]
      return [[key, value.split(',').flatMap((id) => slugs.get(idsOf)?.get(Number(id)) ?? [])]]
    }),
  )
}
