import type { ExpressionBuilder } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { nameOfEntry } from './entry-name.ts'

/** Returns true if the site shows an entry at a time: it is published and within its schedule. */
export function isShownAt(row: ExpressionBuilder<Schema, 'content_entries'>, at: Date) {
  const moment = at.toISOString()
  return row.and([
    row('status', '=', 'published'),
    row.or([row('publish_at', 'is', null), row('publish_at', '<=', moment)]),
    row.or([row('unpublish_at', 'is', null), row('unpublish_at', '>', moment)]),
  ])
}

/** Returns true if an entry's schedule keeps it off the site at a time, published or not. */
export function isScheduledOff(row: ExpressionBuilder<Schema, 'content_entries'>, at: Date) {
  const moment = at.toISOString()
  return row.or([row('publish_at', '>', moment), row('unpublish_at', '<=', moment)])
}

/** Counts the entries of all types that the site shows at a time. */
export async function countShownEntries(db: Db, at: Date): Promise<number> {
  const { count } = await db
    .selectFrom('content_entries')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where((row) => isShownAt(row, at))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns true if the site shows at least this many entries at a time; on a large site, faster than counting. */
export async function hasShownEntries(db: Db, at: Date, atLeast: number): Promise<boolean> {
  const last = await db
    .selectFrom('content_entries')
    .select('id')
    .where((row) => isShownAt(row, at))
    .offset(atLeast - 1)
    .limit(1)
    .executeTakeFirst()
  return last !== undefined
}

/** Returns the next time after `after` at which a schedule shows or hides a published entry; UTC text. */
export async function findNextScheduledMoment(db: Db, after: string): Promise<string | undefined> {
  const [next] = await listScheduledMoments(db, { after, limit: 1 })
  return next?.at
}

/**
 * Lists the IDs of published entries that a schedule shows or hides between two times, given in either order, by
 * type and ID.
 */
export async function listEntryIdsDue(db: Db, one: string, other: string): Promise<number[]> {
  const [after, through] = one < other ? [one, other] : [other, one]
  const rows = await db
    .selectFrom('content_entries')
    .select('id')
    .where('status', '=', 'published')
    .where((row) =>
      row.or(
        (['publish_at', 'unpublish_at'] as const).map((column) =>
          row.and([row(column, '>', after), row(column, '<=', through)]),
        ),
      ),
    )
    .orderBy('type_id')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** An entry that its schedule shows or hides. */
export interface ScheduledMoment {
  at: string
  event: 'appears' | 'goes'
  entry: { id: number; typeSlug: string; name: string }
}

/** Lists the next times at which schedules show or hide published entries, in order. */
export async function listScheduledMoments(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<ScheduledMoment[]> {
  const moments = await Promise.all([
    momentsOf(db, 'publish_at', { event: 'appears', after, limit }),
    momentsOf(db, 'unpublish_at', { event: 'goes', after, limit }),
  ])
  return moments
    .flat()
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .slice(0, limit)
}

async function momentsOf(
  db: Db,
  column: 'publish_at' | 'unpublish_at',
  { event, after, limit }: Pick<ScheduledMoment, 'event'> & { after: string; limit: number },
) {
  const rows = await db
    .selectFrom('content_entries as entry')
    .innerJoin('content_types as type', 'type.id', 'entry.type_id')
    .leftJoin('content_entries as service', 'service.id', 'entry.service_entry_id')
    .leftJoin('taxonomy_terms as place', 'place.id', 'entry.location_term_id')
    .select(['entry.id', 'entry.slug', 'entry.title', 'type.slug as typeSlug', `entry.${column} as at`])
    .select(['service.title as service', 'place.name as place'])
    .where(`entry.${column}`, '>', after)
    .where('entry.status', '=', 'published')
    .orderBy(`entry.${column}`)
    .limit(limit)
    .execute()
  return rows.map(({ at, id, typeSlug, ...parts }) => ({
    ...{ at: at ?? '', event },
    entry: { id, typeSlug, name: nameOfEntry(parts) },
  }))
}
