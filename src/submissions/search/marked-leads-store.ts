import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'

interface MarkedLeads {
  scope: LeadScope
  /** Index words that never occur in text. A lead must have one of them. */
  marks: readonly string[]
  /** Only leads before this one. */
  before: number
  limit: number
}

/** Selects the IDs of the newest leads with one of these marks, except spam, as part of another query. */
export function leadsWithMarks(
  db: Db,
  { scope, marks, before, limit }: MarkedLeads,
): RawBuilder<{ id: number }> {
  const isWanted = sql`lead.status <> 'spam' and ${inScope(db, scope, 'lead')}`
  if (engineOf(db) === 'postgres') {
    const query = marks.map((mark) => `'${mark}'`).join(' | ')
    // In two steps: the planner expects thousands of leads and would walk all of them by ID.
    return sql`(with marked as materialized (
        select submission_id as id from submission_search where words @@ to_tsquery('simple', ${query})),
      wanted as materialized (select lead.id from form_submissions as lead
        where lead.id = any (array(select id from marked where id < ${before})) and ${isWanted})
      select id from wanted order by id desc limit ${limit})`
  }
  // With this order, SQLite walks the word index from its newest row and stops at the limit.
  return sql`(select lead.id from submission_search as words cross join form_submissions as lead on lead.id = words.rowid
    where submission_search match ${marks.map((mark) => `"${mark}"`).join(' OR ')} and words.rowid < ${before}
      and ${isWanted} order by words.rowid desc limit ${limit})`
}
