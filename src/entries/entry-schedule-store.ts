import type { ExpressionBuilder } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'

/** Whether the site shows an entry at a moment: it is published, and the moment is within its schedule. */
export function isShownAt(row: ExpressionBuilder<Schema, 'content_entries'>, at: Date) {
  const moment = at.toISOString()
  return row.and([
    row('status', '=', 'published'),
    row.or([row('publish_at', 'is', null), row('publish_at', '<=', moment)]),
    row.or([row('unpublish_at', 'is', null), row('unpublish_at', '>', moment)]),
  ])
}

/** How many entries of all types the site shows at a moment. */
export async function countShownEntries(db: Db, at: Date): Promise<number> {
  const { count } = await db
    .selectFrom('content_entries')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where((row) => isShownAt(row, at))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The first moment after `after` at which a published entry appears or goes by its schedule; UTC text. */
export async function findNextScheduledMoment(db: Db, after: string): Promise<string | undefined> {
  const moments = await Promise.all([
    firstMoment(db, 'publish_at', after),
    firstMoment(db, 'unpublish_at', after),
  ])
  return moments.filter((moment) => moment !== undefined).sort()[0]
}

async function firstMoment(db: Db, column: 'publish_at' | 'unpublish_at', after: string) {
  const row = await db
    .selectFrom('content_entries')
    .select(column)
    .where(column, '>', after)
    .where('status', '=', 'published')
    .orderBy(column)
    .limit(1)
    .executeTakeFirst()
  return row?.[column] ?? undefined
}
