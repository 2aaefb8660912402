import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { matchingIds, type WordSearch } from '../search/search-store.ts'
import { type Filter, type InboxPlace, placesOf, selectShownAmong } from './inbox-store.ts'

const DIRECTIONS = ['newer', 'older'] as const

const LOOK = 1_000

// More are slow to search together. The filter has their IDs.
const MOST_MARKS = 20

/** IDs of the leads next to one. */
export interface Beside {
  newer: number | undefined
  older: number | undefined
}

/** Finds the leads next to a position, whether or not the filter includes it; in one query. */
export async function findPlacesBeside(
  db: Db,
  { statuses, ...filter }: Filter,
  place: InboxPlace,
): Promise<Beside> {
  const parts = DIRECTIONS.flatMap((direction) =>
    statuses.map((status) => {
      const part = placesOf(db, { ...filter, status }, { cursor: { direction, ...place }, limit: 1 })
      return db.selectFrom(part.as('part')).selectAll().select(sql.lit(direction).as('direction'))
    }),
  )
  const [first, ...others] = parts
  if (!first) return { newer: undefined, older: undefined }
  const rows = await others.reduce((sum, part) => sum.unionAll(part), first).execute()
  const sorted = rows.sort((a, b) =>
    a.submitted_at === b.submitted_at ? a.id - b.id : a.submitted_at < b.submitted_at ? -1 : 1,
  )
  return {
    newer: sorted.find(({ direction }) => direction === 'newer')?.id,
    older: sorted.findLast(({ direction }) => direction === 'older')?.id,
  }
}

/** Finds the same among the matches of a search, up to 1,000 matches away. */
export async function findMatchesBeside(
  db: Db,
  filter: Filter,
  { id, words, places }: Pick<WordSearch, 'words' | 'places'> & { id: number },
): Promise<Beside> {
  const marks = places.length > MOST_MARKS ? [] : places
  const besideOf = async (direction: WordSearch['direction']) => {
    const ids = await matchingIds(db, { words, places: marks, direction, beyond: id, limit: LOOK })
    const matches = selectShownAmong(db, filter, { ids, most: LOOK }).clearSelect().select('id')
    return matches.orderBy('id', direction === 'newer' ? 'asc' : 'desc').limit(1)
  }
  const { newer, older } = await db
    .selectNoFrom([(await besideOf('newer')).as('newer'), (await besideOf('older')).as('older')])
    .executeTakeFirstOrThrow()
  return { newer: newer ?? undefined, older: older ?? undefined }
}
