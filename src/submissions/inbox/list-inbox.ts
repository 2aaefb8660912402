import type { Db } from '../../db/schema.ts'
import type { Submission } from '../submission.ts'
import { listSubmissionsById } from '../submission-store.ts'
import type { InboxCursor, InboxFilter } from './inbox-filter.ts'
import { type InboxPlace, listInboxPlaces } from './inbox-store.ts'
import { type Found, findByWords, readSearch } from './search-inbox.ts'

export const INBOX_PAGE = 50

/** A page of the inbox, newest first. */
export interface InboxPage {
  submissions: Submission[]
  older: InboxCursor | undefined
  newer: InboxCursor | undefined
  /** Set if the page isn't full but older matches may exist: how far back the search went. */
  lookedBackTo: string | undefined
  /** True if more places match the name than were searched. */
  isBroad: boolean
}

interface Page {
  cursor: InboxCursor | undefined
  limit: number
}

/** Returns the submissions that match the filter, 50 at a time. */
export async function listInbox(
  db: Db,
  filter: InboxFilter,
  { cursor, limit = INBOX_PAGE }: Partial<Page> = {},
): Promise<InboxPage> {
  const search = await readSearch(db, filter)
  const found: Found = search
    ? await findByWords(db, filter, search, { cursor, limit })
    : { submissions: await listNewest(db, filter, { cursor, limit: limit + 1 }), stoppedAt: undefined }
  const submissions = found.submissions.slice(0, limit)
  const isNewer = cursor?.direction === 'newer'
  if (isNewer) submissions.reverse()
  const hasMore = found.submissions.length > limit
  return {
    submissions,
    older: isNewer || hasMore ? at('older', submissions.at(-1)) : at('older', found.stoppedAt),
    newer: (isNewer ? hasMore : cursor !== undefined) ? at('newer', submissions[0] ?? cursor) : undefined,
    lookedBackTo: hasMore ? undefined : found.stoppedAt?.submittedAt,
    isBroad: search?.isBroad ?? false,
  }
}

async function listNewest(db: Db, { scope, ...filter }: InboxFilter, page: Page): Promise<Submission[]> {
  const places = await listInboxPlaces(db, { ...filter, scope }, page)
  const rows = await listSubmissionsById(
    db,
    places.map(({ id }) => id),
    scope,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return places.flatMap(({ id }) => byId.get(id) ?? [])
}

function at(direction: InboxCursor['direction'], place: InboxPlace | undefined): InboxCursor | undefined {
  return place && { direction, submittedAt: place.submittedAt, id: place.id }
}
