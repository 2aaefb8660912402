import { type RawBuilder, sql } from 'kysely'
import type { Db } from './schema.ts'

/**
 * Finds the last of the next rows, at most `limit`, stored before a given time; undefined if there is none. The table's
 * rows are nearly in order of time.
 */
export type FindLastBefore = (
  db: Db,
  range: { afterId: number; before: Date; limit: number },
) => Promise<number | undefined>

/** Rows to count: those after one ID and up to another, or all after it. */
export interface CountRange {
  afterId: number | RawBuilder<number>
  upToId?: number | undefined
}

export function findLastBeforeIn(table: string, moment: string): FindLastBefore {
  return async (db, { afterId, before, limit }) => {
    const { rows } = await sql<{ id: number | null }>`
      select max(id) as id
      from (select id, ${sql.ref(moment)} as moment from ${sql.table(table)}
        where id > ${afterId} order by id limit ${limit}) as next
      where moment < ${before.toISOString()}`.execute(db)
    const id = rows[0]?.id
    return id === null || id === undefined ? undefined : Number(id)
  }
}
