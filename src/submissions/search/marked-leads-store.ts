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
  const isSqlite = engineOf(db) === 'sqlite'
  // In this order SQLite walks the index of words from its newest row, and stops at the limit.
  const joined = isSqlite
    ? sql`submission_search as words cross join form_submissions as lead on lead.id = words.rowid`
    : sql`submission_search as words join form_submissions as lead on lead.id = words.submission_id`
  const order = isSqlite ? sql`words.rowid` : sql`words.submission_id`
  const matches = isSqlite
    ? sql`submission_search match ${marks.map((mark) => `"${mark}"`).join(' OR ')}`
    : sql`words.words @@ to_tsquery('simple', ${marks.map((mark) => `'${mark}'`).join(' | ')})`
  return sql`(select lead.id from ${joined}
    where ${matches} and ${order} < ${before} and lead.status <> 'spam' and ${inScope(db, scope, 'lead')}
    order by ${order} desc limit ${limit})`
}
