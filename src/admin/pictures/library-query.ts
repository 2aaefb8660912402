import type { Db } from '../../db/schema.ts'
import { LIBRARY_STATES, type LibraryQuestion } from '../../pictures/library-store.ts'
import { countOtherUses } from '../../site/pictures/picture-places.ts'

export const PAGE_SIZE = 48

/** Library filters in the URL. */
export interface LibraryQuery extends LibraryQuestion {
  page: number
}

export async function readLibraryQuery(db: Db, params: URLSearchParams): Promise<LibraryQuery> {
  return { ...readChoiceQuery(params), alsoUsed: await countOtherUses(db) }
}

/** Reads the filters where the pictures used by the site itself don't matter. */
export function readChoiceQuery(params: URLSearchParams): LibraryQuery {
  const state = LIBRARY_STATES.find((one) => one === params.get('show')) ?? 'all'
  return {
    search: (params.get('q') ?? '').slice(0, 100).trim(),
    tag: (params.get('tag') ?? '').slice(0, 100),
    state,
    page: Math.max(1, Math.min(10_000, Math.trunc(Number(params.get('page'))) || 1)),
    alsoUsed: new Map(),
  }
}

/** Returns the URL of a library page. */
export function libraryPath({ search, tag, state }: LibraryQuestion, page = 1): string {
  const params = new URLSearchParams()
  if (search) params.set('q', search)
  if (tag) params.set('tag', tag)
  if (state !== 'all') params.set('show', state)
  if (page > 1) params.set('page', String(page))
  const query = params.toString()
  return `/admin/pictures${query ? `?${query}` : ''}`
}
