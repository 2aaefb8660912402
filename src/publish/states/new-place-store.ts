import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { SERVICES } from '../../entries/types/builtin/slugs.ts'
import { idType, isAfter, type LogPart, wasAdded } from './log-condition-store.ts'

/** Returns the IDs of the terms of any taxonomy that were added after a position. */
export async function listTermsAdded(db: Db, { position }: Pick<LogPart, 'position'>): Promise<Set<number>> {
  const rows = await db
    .selectFrom('content_changes')
    .select('subject_id')
    .where('subject', '=', 'term')
    .where(isAfter(position))
    .groupBy('subject_id')
    .having(wasAdded())
    .execute()
  return new Set(rows.map((row) => Number(row.subject_id)))
}

/** Lists the services saved after a position, at most `limit`. */
export async function listServicesSaved(
  db: Db,
  { position }: Pick<LogPart, 'position'>,
  { limit }: { limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from content_entries where type_id = (select id from content_types where slug = ${SERVICES})
      and id in (select cast(subject_id as ${idType(db)}) from content_changes
        where subject in ('entry', 'entry_terms') and ${isAfter(position)})
    limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
