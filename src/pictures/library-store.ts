import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { escapeLike, isLike } from '../db/statements/is-like.ts'
import { type LibraryPicture, toLibraryPicture } from './picture-store.ts'

export const LIBRARY_STATES = ['all', 'unused', 'undescribed'] as const

/** The filter of the picture library. */
export interface LibraryQuestion {
  /** Part of the name, the description, or a tag. */
  search: string
  tag: string
  state: (typeof LIBRARY_STATES)[number]
  /** Number of uses outside of saved entries by name: in settings, forms, and drafts. */
  alsoUsed: ReadonlyMap<string, number>
}

interface Slice {
  limit: number
  offset: number
}

/** Returns the pictures of the library, newest first. */
export async function listLibrary(
  db: Db,
  question: LibraryQuestion,
  { limit, offset }: Slice,
): Promise<LibraryPicture[]> {
  const rows = await asked(db.selectFrom('library_pictures').selectAll(), question)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toLibraryPicture)
}

/** Counts these pictures. */
export async function countLibrary(db: Db, question: LibraryQuestion): Promise<number> {
  const counted = db.selectFrom('library_pictures').select(({ fn }) => fn.countAll<number>().as('count'))
  const { count } = await asked(counted, question).executeTakeFirstOrThrow()
  return Number(count)
}

function asked<Found>(
  query: SelectQueryBuilder<Schema, 'library_pictures', Found>,
  { search, tag, state, alsoUsed }: LibraryQuestion,
) {
  let found = query
  const texts = sql`(name || ' ' || coalesce(alt, '') || ' ' || tags_json)`
  for (const word of search.split(/\s+/).filter(Boolean))
    found = found.where(isLike(texts, `%${escapeLike(word)}%`))
  if (tag)
    found = found.where(sql<boolean>`tags_json like ${`%${escapeLike(JSON.stringify(tag))}%`} escape '\\'`)
  if (state === 'undescribed') found = found.where('alt', 'is', null)
  if (state === 'unused') {
    found = found.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('picture_uses')
            .select('name')
            .whereRef('picture_uses.name', '=', 'library_pictures.name'),
        ),
      ),
    )
    if (alsoUsed.size > 0) found = found.where('name', 'not in', [...alsoUsed.keys()])
  }
  return found
}

/** Lists the tags of all pictures in alphabetical order. */
export async function listTags(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('library_pictures')
    .select('tags_json')
    .distinct()
    .where('tags_json', '<>', '[]')
    .execute()
  const tags = new Set(rows.flatMap(({ tags_json }) => JSON.parse(tags_json) as string[]))
  return [...tags].sort((a, b) => a.localeCompare(b))
}

/** Returns the picture with these bytes. */
export async function findIdByHash(db: Db, sha256: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('library_pictures')
    .select('id')
    .where('sha256', '=', sha256)
    .orderBy('id')
    .executeTakeFirst()
  return row?.id
}

/** Lists the names with this prefix, ignoring case. */
export async function listNamesLike(db: Db, start: string): Promise<string[]> {
  const rows = await db
    .selectFrom('library_pictures')
    .select('name')
    .where(isLike(sql.ref('name'), `${escapeLike(start)}%`))
    .execute()
  return rows.map(({ name }) => name)
}

/** Returns the pictures with these IDs, in the same order. */
export async function listPicturesById(db: Db, ids: readonly number[]): Promise<LibraryPicture[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('library_pictures').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, toLibraryPicture(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
