import type { Db } from '#src/db/schema.ts'
import type { Saving } from '#src/versions/version.ts'
import type { Entry, EntryValues } from '../../entry-store.ts'
import type { FieldMeaning } from '../../meanings/meaning.ts'

type Data = Readonly<Record<string, unknown>>
type Clock = Saving

/** The content of an entry's file. */
export interface EntryOfFile {
  slug: string
  fields: Data
}

/**
 * A type whose entries combine an entry of another type with a place: they take slug, title, and text from both
 * (§2.9).
 */
export interface Inheritance {
  /** The type that the first part of a slug names; the second names a place. */
  of: string
  /** The field that shows problems with the address. */
  placeKey: string
  /** `<service>/<place>`; empty as long as one of them is not known. */
  slugOf(db: Db, data: Data): Promise<string>
  /** Returns true if an entry with these values has nothing of its own and needs no row that a person wrote. */
  isWhole(db: Db, values: EntryValues): Promise<boolean>
  /** Leaves of an entry what it inherits, when its file goes. */
  release(db: Db, entry: Entry, clock: Clock): Promise<void>
}

/** Everything about a content type that its row does not say. One file per built-in type; `registry.ts` lists them. */
export interface TypeRules {
  slug: string
  /** One of its entries, in messages. */
  noun: string
  /** By the keys of its fields. */
  meanings: Readonly<Record<string, FieldMeaning>>
  /** The address of contract §3, whose placeholders its own has to keep. */
  route?: string
  inherits?: Inheritance
  /** True if its entries can have terms although they have no pages. */
  hasTerms?: boolean
  /** True if a description names an entry of it without its type. */
  isPlain?: boolean
  /** Link to a screen with more settings of its entries. */
  adminLink?: { href: string; from: 'entry' | 'list' }
  /** Further loss that the admin names before a removal. */
  losesToo?: string

  /** Returns the data of rows for entries of files, which use slugs or their path. */
  dataOfFiles?(db: Db, entries: readonly EntryOfFile[]): Promise<(entry: EntryOfFile) => Data>
  /** Runs after an entry was saved, in its transaction; `before` is undefined for a new one. */
  afterSave?(db: Db, saved: { id: number; before: Entry | undefined }, clock: Clock): Promise<void>
  /** Runs after a sync gave an entry another slug. */
  afterRename?(db: Db, renamed: { id: number; from: string; to: string }, clock: Clock): Promise<void>
  /** The entries that go with one. */
  parts?(db: Db, id: number): Promise<{ id: number; slug: string; isGenerated: boolean }[]>
  /** The entries that name one. */
  namedBy?(db: Db, entry: Entry): Promise<Entry[]>
  /** Lets go of an entry that is removed next, where it is named. */
  beforeRemoval?(db: Db, entry: Entry, clock: Clock): Promise<void>
}
