import { sql } from 'kysely'
import { inScope, type LeadScope } from '../../db/lead-scope/lead-scope.ts'
import type { Db } from '../../db/schema.ts'
import { listSourcesOfPlaces } from '../results/source-sums-store.ts'

const MOST = 200

// More of each form would hold up the inbox.
const RECENT_LEADS = 2_000

/**
 * Lists the source names of leads in alphabetical order, 200 at most. For accounts limited to places, leaves out sources
 * that only sent spam; for those limited to forms, reads the newest 2,000 leads of each form.
 */
export function listSources(db: Db, scope: LeadScope): Promise<string[]> {
  if (scope.forms !== null) return listRecentSources(db, scope, scope.forms)
  return scope.places === null ? listEverySource(db) : listSourcesOfPlaces(db, scope.places, { limit: MOST })
}

// Steps along the index of sources.
async function listEverySource(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`with recursive found (name) as (
    select min(source) from form_submissions where source is not null
    union all
    select (select min(source) from form_submissions where source > found.name) from found
    where found.name is not null
  ) select name from found where name is not null limit ${MOST}`.execute(db)
  return rows.map(({ name }) => name)
}

async function listRecentSources(db: Db, { places }: LeadScope, forms: readonly number[]): Promise<string[]> {
  if (forms.length === 0) return []
  const newest = forms.map(
    (form) => sql`select * from (select source, location_id from form_submissions where form_id = ${form}
      order by submitted_at desc limit ${RECENT_LEADS}) as of_form`,
  )
  const { rows } = await sql<{ source: string }>`
    select distinct source from (${sql.join(newest, sql` union all `)}) as recent
    where source is not null and ${inScope(db, { places, forms: null }, 'recent')}
    order by source limit ${MOST}`.execute(db)
  return rows.map(({ source }) => source)
}
