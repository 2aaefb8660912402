import type { Db } from '../../db/schema.ts'
import type { AdminFault } from '../../messages/admin/problems.ts'
import { type Entry, findEntry, listEntries } from '../entry-store.ts'
import { type ContentType, findContentType } from '../types/content-type-store.ts'
import type { PageKind } from '../types/page-sections.ts'

/** Subject that must exist for the value of a field. */
export type Named =
  | { to: 'form'; slug: string }
  | { to: 'entry'; type: string; slug: string }
  /** A word of a fixed list. */
  | { to: 'one_of'; noun: string; name: string; names: readonly string[] }
  /** A file of `pictures/`. */
  | { to: 'picture'; name: string }
  /** A pattern of `offered_in`. */
  | { to: 'locations'; pattern: string }
  /** A phone number that visitors dial; `country` as its own file says. */
  | { to: 'phone'; name: string; number: string; country?: string }

export interface Choice {
  value: string
  label: string
}

/** Meaning of the value of a built-in type's field, beyond its type in the schema (§2.9). */
export interface FieldMeaning {
  /** Returns the reference that a content file makes by the field; a path in its place makes none. */
  named?(text: string, key: string): Named
  /** True if a content file has a list of names. */
  isList?: boolean
  /** Form in content files of values that the database holds as IDs. */
  inFiles?: 'path' | 'slugs'
  /** The type whose entries a value in the database names by their IDs, between commas. */
  idsOf?: string
  /** Kind of IDs in the database, for readers of a value. */
  ids?: 'entries' | 'terms'

  /**
   * Form in which the admin posts it, if not by the field's type: as text, as one ID for each box, or as sections in
   * their order.
   */
  posted?: 'text' | 'ids' | 'order'
  /** Problem of names that do not exist. */
  missing?(names: readonly string[]): AdminFault
  /** Checks a value that the admin enters as IDs, and turns it into what is stored. */
  resolve?(db: Db, value: unknown): Promise<{ value: unknown } | { fault: AdminFault }>
  choices?(db: Db, types: readonly ContentType[]): Promise<Choice[]>
  /** Control of the editor; `apart` has inputs of its own. */
  control?: 'menu' | 'apart' | 'picture' | 'places' | 'sections'
  /** The menu's first line, where that is not the default. */
  nothing?: string
  help?: string
  /** Label in the editor, if not that of its type. */
  label?: string
  /** The kind of page whose sections it puts in order. */
  pageKind?: PageKind
  /** True if the editor puts it out of the way. */
  isAdvanced?: boolean
  /** True if visitors dial it. */
  isDialed?: boolean
}

/** The entry of a built-in type under a slug. */
export async function findEntryOf(db: Db, typeSlug: string, slug: string): Promise<Entry | undefined> {
  const type = await findContentType(db, typeSlug)
  return type && findEntry(db, type.id, slug)
}

/** The entries of a built-in type; `types` where they are known. */
export async function entriesOf(db: Db, typeSlug: string, types?: readonly ContentType[]): Promise<Entry[]> {
  const type = types ? types.find(({ slug }) => slug === typeSlug) : await findContentType(db, typeSlug)
  return type ? listEntries(db, type.id) : []
}
