import type SqliteDatabase from 'better-sqlite3'

const LEADS = `create temp table leads_of_days as
  select substr(submitted_at, 1, 10) as day, '#' || service_id as service, '#' || location_id as place, source,
    page_path as page, 1 as lead, is_won
  from form_submissions where status <> 'spam'`

// 25 months of 100,000 pages, each with 1 to 7 views per month.
const VISITS = `create table visits as
  with recursive pages as (
    select row_number() over (order by link.entry_id) - 1 as page, '/services/' || offer.slug as path,
      '#' || json_extract(offer.data_json, '$.service_entry_id') as service, '#' || link.term_id as place
    from entry_taxonomy_terms as link join content_entries as offer on offer.id = link.entry_id
  ), months (value) as (select 0 union all select value + 1 from months where value < 24)
  select date('now', '-' || ((month.value * 30 + page % 28)) || ' days') as day, service, place, path as page,
    'source-' || ((page + month.value) % 12) as source, 1 + (page + month.value) % 7 as views,
    (page + month.value) % 7 = 6 as taps
  from months as month cross join pages`

// See `sumKeysOf`.
const SUMS = [
  { dimension: 'all', subject: "''", lengths: [10, 7, 4] },
  { dimension: 'service', subject: 'service', lengths: [7, 4] },
  { dimension: 'source', subject: 'source', lengths: [7, 4] },
  { dimension: 'page', subject: 'page', lengths: [7, 4] },
]

/** Adds up the leads that were stored without triggers. */
export function fillLeadSums(database: SqliteDatabase.Database): void {
  database.exec(LEADS)
  fillSums(database, 'lead_counts', { from: 'leads_of_days', counts: 'sum(lead), sum(is_won)' })
  database.exec('drop table leads_of_days')
}

/**
 * Adds 10,000,000 views, like the visit counter would, to a file that `fillAdmin` filled with 100,000 pages. The table
 * `visits` keeps them for a plain count.
 */
export function fillViews(database: SqliteDatabase.Database): void {
  database.exec(VISITS)
  fillSums(database, 'traffic_counts', { from: 'visits', counts: 'sum(views), sum(taps)' })
}

function fillSums(
  database: SqliteDatabase.Database,
  table: string,
  { from, counts }: { from: string; counts: string },
) {
  for (const { dimension, subject, lengths } of SUMS)
    for (const length of lengths)
      for (const place of ['place', "'#'"])
        database.exec(`insert into ${table}
          select substr(day, 1, ${length}), '${dimension}', ${subject}, ${place}, ${counts}
          from ${from} group by 1, 3, 4 order by 1, 4, 3`)
}
