import type { Db } from '../../db/schema.ts'
import { withoutUnusableCharacters } from '../../lib/characters.ts'
import {
  type EntryCursor,
  type EntryFilter,
  type EntryOrder,
  type ListedEntry,
  listEntryPage,
} from '../entry-list-store.ts'
import { type ChoosableTaxonomy, listChoosableTaxonomies } from '../terms/entry-terms.ts'
import type { ContentType } from '../types/content-type-store.ts'

const PAGE_SIZE = 50

/** The filter and position in the URL of a list. */
export interface ListQuestion {
  filter: Omit<EntryFilter, 'matches'>
  /** The state on the live site, as in the URL. */
  state: string | undefined
  order: EntryOrder
  /** The previous page's `next`. */
  after: string | undefined
}

export interface EntryListPage {
  entries: ListedEntry[]
  /** Start of the next page; undefined on the last. */
  next: string | undefined
  taxonomies: ChoosableTaxonomy[]
}

/** Reads the filter from URL parameters, ignoring invalid ones. */
export function readListQuestion(search: URLSearchParams): ListQuestion {
  const term = Number(search.get('term'))
  return {
    filter: {
      text: withoutUnusableCharacters(search.get('q') ?? '').trim() || undefined,
      termId: Number.isSafeInteger(term) && term > 0 ? term : undefined,
      isWritten: search.get('own') === '1' ? true : undefined,
    },
    state: search.get('state') || undefined,
    order: search.get('order') === 'changed' ? 'changed' : 'slug',
    after: search.get('after') ?? undefined,
  }
}

/** Returns one page of a type's entries and the filter options. `matches` is the condition for the filter's state. */
export async function loadListPage(
  db: Db,
  type: ContentType,
  { filter, order, after }: ListQuestion,
  matches?: EntryFilter['matches'],
): Promise<EntryListPage> {
  const limit = PAGE_SIZE + 1
  const found = await listEntryPage(
    db,
    type.id,
    { ...filter, matches },
    { order, after: toCursor(after), limit },
  )
  const entries = found.slice(0, PAGE_SIZE)
  const last = found.length > PAGE_SIZE ? entries.at(-1) : undefined
  const key = order === 'slug' ? last?.slug : last?.updatedAt
  return {
    entries,
    next: last && `${last.id}.${key}`,
    taxonomies: await listChoosableTaxonomies(db, type),
  }
}

function toCursor(after: string | undefined): EntryCursor | undefined {
  const [, id, key] = /^(\d{1,15})\.(.+)$/.exec(after ?? '') ?? []
  return id && key ? { id: Number(id), key } : undefined
}
