import { type RawBuilder, sql } from 'kysely'
import { engineOf } from '../../db/dialects.ts'
import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'

interface MarkedLeads {
  scope: LeadScope
  /** Words that no text has; one of them has to be there. */
  marks: readonly string[]
  /** Only leads before this one. */
  before: number
  limit: number
}

/** The IDs of the newest leads with one of these marks, spam apart, as part of another query. */
export function leadsWithMarks(
  db: Db,
  { scope, marks, before, limit }: MarkedLeads,
): RawBuilder<{ id: number }> {
  const isWanted = sql`lead.status <> 'spam' and ${inScope(db, scope, 'lead')}`
  if (engineOf(db) === 'postgres') {
    const query = marks.map((mark) => `'${mark}'`).join(' | ')
    // In two steps: the planner, which guesses thousands of leads, would walk all of them along their IDs.
    return sql`(with marked as materialized (
        select submission_id as id from submission_search where words @@ to_tsquery('simple', ${query})),
      wanted as materialized (select lead.id from form_submissions as lead
        where lead.id = any (array(select id from marked where id < ${before})) and ${isWanted})
      select id from wanted order by id desc limit ${limit})`
  }
  // In this order SQLite walks the index of words from its newest row, and stops at the limit.
  return sql`(select lead.id from submission_search as words cross join form_submissions as lead on lead.id = words.rowid
    where submission_search match ${marks.map((mark) => `"${mark}"`).join(' OR ')} and words.rowid < ${before}
      and ${isWanted} order by words.rowid desc limit ${limit})`
}
