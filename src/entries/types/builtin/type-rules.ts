import type { Db } from '#src/db/schema.ts'
import type { Saving } from '#src/versions/version.ts'
import type { Entry, EntryValues } from '../../entry-store.ts'
import type { FieldMeaning } from '../../meanings/meaning.ts'
import type { Offer } from '../../offers/location-service-store.ts'

type Data = Readonly<Record<string, unknown>>
type Clock = Saving

/** The content of an entry's file. */
export interface EntryOfFile {
  slug: string
  fields: Data
}

/**
 * A type whose entries combine an entry of another type with a place, and take slug, title, and text from both
 * (§2.9).
 */
export interface Inheritance {
  /** The type identified by the first part of a slug; the second identifies a place. */
  of: string
  /** The field that shows problems with the address. */
  placeKey: string
  /** `<service>/<place>`; empty until both are known. */
  slugOf(db: Db, data: Data): Promise<string>
  /** Returns true if an entry with these values has no content of its own and needs no hand-written row. */
  isWhole(db: Db, values: EntryValues): Promise<boolean>
  /** Reduces an entry to what it inherits, when its file is deleted. */
  release(db: Db, entry: Entry, clock: Clock): Promise<void>
}

/**
 * Everything about a content type that isn't in its row. Each built-in type has its own file; `registry.ts` lists
 * them.
 */
export interface TypeRules {
  slug: string
  /** Noun for one of its entries, in messages. */
  noun: string
  /** By field key. */
  meanings: Readonly<Record<string, FieldMeaning>>
  /** The address in contract §3, whose placeholders the type's own must keep. */
  route?: string
  inherits?: Inheritance
  /** True if its entries can have terms although they have no pages. */
  hasTerms?: boolean
  /** True if descriptions name its entries without their type. */
  isPlain?: boolean
  /** The field that names an entry without a title, and its file. Its editor shows it first. */
  namedAfter?: string
  /** Fields that the list of its entries shows below the title. */
  listedFields?: readonly string[]
  /** Link to a screen with more settings of its entries. */
  adminLink?: { href: string; to: 'coverage' | 'homePage'; from: 'entry' | 'list' }
  /** Additional loss listed in the admin's delete question. */
  losesToo?: string

  /** Converts the data of entries in files, which use slugs or their path, to that of rows. */
  dataOfFiles?(db: Db, entries: readonly EntryOfFile[]): Promise<(entry: EntryOfFile) => Data>
  /** Runs after an entry was saved, in its transaction; `before` is undefined for a new one. */
  afterSave?(db: Db, saved: { id: number; before: Entry | undefined }, clock: Clock): Promise<void>
  /** Runs after a sync changed an entry's slug. */
  afterRename?(db: Db, renamed: { id: number; from: string; to: string }, clock: Clock): Promise<void>
  /** Lists the entries that are deleted with one. */
  parts?(db: Db, id: number): Promise<Offer[]>
  /** Lists the entries that refer to one. */
  namedBy?(db: Db, entry: Entry): Promise<Entry[]>
  /** Removes references to an entry that is about to be deleted. */
  beforeRemoval?(db: Db, entry: Entry, clock: Clock): Promise<void>
}
