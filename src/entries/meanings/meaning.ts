import type { Db } from '../../db/schema.ts'
import type { AdminFault } from '../../messages/admin/problems.ts'
import { type Entry, findEntry, listEntries } from '../entry-store.ts'
import { type ContentType, findContentType } from '../types/content-type-store.ts'
import type { PageKind } from '../types/page-sections.ts'

/** Thing that a field's value refers to and that must exist. */
export type Named =
  | { to: 'form'; slug: string }
  | { to: 'entry'; type: string; slug: string }
  /** A word from a fixed list. */
  | { to: 'one_of'; noun: string; name: string; names: readonly string[] }
  /** A file of `pictures/`. */
  | { to: 'picture'; name: string }
  /** A pattern of `offered_in`. */
  | { to: 'locations'; pattern: string }
  /** A phone number that visitors dial; `country` comes from its own file. */
  | { to: 'phone'; name: string; number: string; country?: string }

export interface Choice {
  value: string
  label: string
}

/** Meaning of the value of a built-in type's field, in addition to its type in the schema (§2.9). */
export interface FieldMeaning {
  /** Returns the reference in a content file's field; undefined if the file's path provides it. */
  named?(text: string, key: string): Named
  /** True if a content file has a list of names. */
  isList?: boolean
  /** Form in content files of values that the database stores as IDs. */
  inFiles?: 'path' | 'slugs'
  /** The type of the entries whose comma-separated IDs the database stores. */
  idsOf?: string
  /** Kind of the stored IDs, for readers of a value. */
  ids?: 'entries' | 'terms'

  /**
   * Form in which the admin posts it, if not by the field's type: as text or as one ID per box.
   */
  posted?: 'text' | 'ids'
  /** The problem to report for unknown names. */
  missing?(names: readonly string[]): AdminFault
  /** Checks a value that the admin enters as IDs, and converts it to the stored form. */
  resolve?(db: Db, value: unknown): Promise<{ value: unknown } | { fault: AdminFault }>
  choices?(db: Db, types: readonly ContentType[]): Promise<Choice[]>
  /** The editor's control; `apart` has its own inputs. */
  control?: 'menu' | 'apart' | 'picture' | 'places' | 'sections'
  /** The menu's first option, if not the default. */
  nothing?: string
  help?: string
  /** Label in the editor, if not the type's. */
  label?: string
  /** The kind of page whose sections it orders. */
  pageKind?: PageKind
  /** True if the editor shows it under Advanced. */
  isAdvanced?: boolean
  /** True if visitors dial it. */
  isDialed?: boolean
}

/** Finds the entry of a built-in type by slug. */
export async function findEntryOf(db: Db, typeSlug: string, slug: string): Promise<Entry | undefined> {
  const type = await findContentType(db, typeSlug)
  return type && findEntry(db, type.id, slug)
}

/** Lists the entries of a built-in type; pass `types` if they are already loaded. */
export async function entriesOf(db: Db, typeSlug: string, types?: readonly ContentType[]): Promise<Entry[]> {
  const type = types ? types.find(({ slug }) => slug === typeSlug) : await findContentType(db, typeSlug)
  return type ? listEntries(db, type.id) : []
}
