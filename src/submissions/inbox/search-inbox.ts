import type { RawBuilder } from 'kysely'
import { isNarrow, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { phoneMark } from '../search/contact-marks.ts'
import { marksOfPlaces, namesPlace } from '../search/find-places.ts'
import { listPlacesAndRenamed, listRenamed, type Named } from '../search/names-store.ts'
import { type SoughtPart, searchSubmissionIds } from '../search/search-store.ts'
import { hasWord, placeMark, type SoughtWord, serviceMark, soughtWords } from '../search/search-words.ts'
import type { Submission } from '../submission.ts'
import { listSubmissionsById } from '../submission-store.ts'
import type { InboxCursor, InboxFilter, SubmissionStatus } from './inbox-filter.ts'
import { findPlaceNear, type InboxPlace, selectFirstShown } from './inbox-store.ts'

// Number of matches examined for one page, in two steps. The rest goes to further pages, so that no page is slow.
const LOOKS = [200, 2_000]

// Each place is a separate term of the query; 400 take about 40 ms with a million submissions.
const MAX_PLACES = 400

const EVERY_STATUS: readonly SubmissionStatus[] = ['new', 'read', 'archived', 'spam']

/** Words and places of a filter, as the search index knows them. */
export interface InboxSearch {
  words: SoughtPart[]
  /** The same words, with prefixes of any length. */
  looseWords: SoughtPart[]
  places: string[]
  isBroad: boolean
}

/** Reads the words and places that a filter searches for; undefined if it has none. */
export async function readSearch(
  db: Db,
  { scope, search = '', location = '' }: InboxFilter,
): Promise<InboxSearch | undefined> {
  const words = soughtWords(search)
  if (words.length === 0 && !namesPlace(location)) return undefined
  const { places: named, renamed } = namesPlace(location)
    ? await listPlacesAndRenamed(db)
    : { places: [], renamed: await listRenamed(db) }
  const meant = marksOfPlaces(named, location)
  const withMarks = (word: SoughtWord) => ({ ...word, marks: [...phonesOf(word), ...marksOf(word, renamed)] })
  const parts = words.map(withMarks)
  const looseParts = soughtWords(search, { loosely: true }).map(withMarks)
  const places = meant ?? placesWithin(scope)
  const lists = [places, ...looseParts.map(({ marks }) => marks)]
  return {
    words: parts.map(withFewMarks),
    looseWords: looseParts.map(withFewMarks),
    places: places.slice(0, MAX_PLACES),
    isBroad: lists.some(({ length }) => length > MAX_PLACES),
  }
}

// Without a place in the filter, searches the places that the user may see.
function placesWithin({ places }: LeadScope): string[] {
  return places && places.length <= MAX_PLACES ? places.map(placeMark) : []
}

function withFewMarks(part: SoughtPart): SoughtPart {
  return { ...part, marks: part.marks.slice(0, MAX_PLACES) }
}

// Matches the number with and without its country and area code.
function phonesOf({ word }: SoughtWord): string[] {
  const mark = /^\d+$/.test(word) ? phoneMark(word) : undefined
  return mark === undefined ? [] : [mark]
}

// A submission was indexed under the names its place and service had at the time.
function marksOf(word: SoughtWord, renamed: readonly Named[]): string[] {
  const meant = renamed.filter((one) =>
    [one.name, ...one.formerNames, ...one.slugs].some((text) => hasWord(text, word)),
  )
  return meant.map(({ kind, id }) => (kind === 'place' ? placeMark(id) : serviceMark(id)))
}

interface Page {
  cursor: InboxCursor | undefined
  limit: number
}

/** Matches of a search, in the direction of the page. */
export interface Found {
  submissions: Submission[]
  /** The last match examined, if more may follow. */
  stoppedAt: InboxPlace | undefined
}

/** Finds one page of matches. */
export async function findByWords(
  db: Db,
  filter: InboxFilter,
  search: InboxSearch,
  page: Page,
): Promise<Found> {
  const found = await lookBack(db, filter, search, page)
  if (found.submissions.length > 0 || found.stoppedAt) return found
  const loose = await loosen(db, filter.scope, search)
  return loose ? lookBack(db, filter, loose, page) : found
}

/**
 * Returns the search to try if one finds nothing. Long words match whole words only, because their beginnings aren't
 * indexed; if the last word occurs nowhere, it is searched as a beginning.
 */
export async function loosen(
  db: Db,
  scope: LeadScope,
  search: InboxSearch,
): Promise<InboxSearch | undefined> {
  const last = search.words.at(-1)
  if (!last || last.isPrefix || !search.looseWords.at(-1)?.isPrefix) return undefined
  return (await isWritten(db, scope, last)) ? undefined : { ...search, words: search.looseWords }
}

// Checks only leads that this user may see: results must not depend on the words of other leads.
async function isWritten(db: Db, scope: LeadScope, word: SoughtPart): Promise<boolean> {
  if (isNarrow(scope)) {
    const filter = { scope, statuses: EVERY_STATUS }
    const search = { words: [word], looseWords: [], places: [], isBroad: false }
    return (await lookBack(db, filter, search, { cursor: undefined, limit: 0 })).submissions.length > 0
  }
  const whole = { words: [word], places: [], direction: 'older' as const, beyond: undefined, limit: 1 }
  return (await searchSubmissionIds(db, whole)).length > 0
}

// Walks the IDs, which are in order of time. Reads one match more than the limit, which shows that more follow.
async function lookBack(
  db: Db,
  filter: InboxFilter,
  { words, places: near }: InboxSearch,
  { cursor, limit }: Page,
): Promise<Found> {
  const direction = cursor?.direction ?? 'older'
  const submissions: Submission[] = []
  let beyond = cursor?.id
  for (const look of LOOKS) {
    const ids = await searchSubmissionIds(db, { words, places: near, direction, beyond, limit: look })
    const shown = selectFirstShown(db, filter, { ids, direction, limit: limit + 1 - submissions.length })
    submissions.push(...(shown ? await listInOrder(db, shown, { direction, scope: filter.scope }) : []))
    if (submissions.length > limit || ids.length < look) return { submissions, stoppedAt: undefined }
    beyond = ids.at(-1)
  }
  const stoppedAt = beyond === undefined ? undefined : await findPlaceNear(db, beyond, filter.scope)
  return { submissions, stoppedAt }
}

async function listInOrder(
  db: Db,
  ids: RawBuilder<{ id: number }>,
  { direction, scope }: { direction: InboxCursor['direction']; scope: LeadScope },
): Promise<Submission[]> {
  const rows = await listSubmissionsById(db, ids, scope)
  return rows.sort((a, b) => (direction === 'older' ? b.id - a.id : a.id - b.id))
}
