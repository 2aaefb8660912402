import { type Kysely, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

export const contracts = false

/**
 * Keeps the day of a lead in the site's time zone, by which it is counted, because databases don't know time zones. It
 * never changes, so that a lead leaves the sums that it was added to. Leads of before stay in their UTC day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table form_submissions add column local_day text`.execute(db)
  await (engineOf(db) === 'sqlite' ? recreateOnSqlite(db) : recreateOnPostgres(db))
}

const dayOf = (row: string) =>
  sql`coalesce(${sql.ref(`${row}.local_day`)}, substr(${sql.ref(`${row}.submitted_at`)}, 1, 10))`

// As in migration 0231.
const COLUMNS = sql`day, service, place, source, page, leads, won`
const keyOf = (row: string, id: string, slugs: string) => sql`case
  when ${sql.ref(`${row}.${id}`)} > 0 then '#' || ${sql.ref(`${row}.${id}`)}
  when ${sql.ref(`${row}.${slugs}`)} is null then ''
  when ${sql.ref(`${row}.${id}`)} = 0 then '=' || ${sql.ref(`${row}.${slugs}`)}
  else ${sql.ref(`${row}.${slugs}`)} end`
const serviceOf = (row: string) => keyOf(row, 'service_id', 'service_slug')
const placeOf = (row: string) => keyOf(row, 'location_id', 'location_path')
const changeOf = (row: 'old' | 'new', leads: 1 | -1) => sql`insert into lead_changes (${COLUMNS})
  select ${dayOf(row)}, ${serviceOf(row)}, ${placeOf(row)},
    coalesce(${sql.ref(`${row}.source`)}, 'unknown'), coalesce(${sql.ref(`${row}.page_path`)}, ''), ${sql.lit(leads)},
    ${sql.lit(leads)} * ${sql.ref(`${row}.is_won`)}
  where ${sql.ref(`${row}.status`)} <> 'spam'`
const WATCHED = sql`status, submitted_at, service_slug, service_id, location_path, location_id, source, page_path, is_won`
const IS_CHANGED = sql`(old.status = 'spam') <> (new.status = 'spam') or old.submitted_at <> new.submitted_at
  or old.is_won <> new.is_won or ${serviceOf('old')} <> ${serviceOf('new')} or ${placeOf('old')} <> ${placeOf('new')}
  or coalesce(old.source, '') <> coalesce(new.source, '') or coalesce(old.page_path, '') <> coalesce(new.page_path, '')`

// As in migration 0390.
const IS_SPAM = sql`(new.status = 'spam')`
const MOVE = sql`insert into daily_counts (day, series, subject, count)
  select ${dayOf('new')}, moved.series, cast(coalesce(new.form_id, 0) as text), moved.difference
  from (select 'spam' as series, case when ${IS_SPAM} then 1 else -1 end as difference
    union all select 'submissions', case when ${IS_SPAM} then -1 else 1 end) as moved`
const ADD = sql`on conflict (day, series, subject) do update set count = daily_counts.count + excluded.count`
const CURSOR = sql`select last_id from count_cursors where source = 'submissions'`

async function recreateOnSqlite(db: Kysely<unknown>) {
  for (const name of ['leads_counted', 'leads_recounted', 'leads_moved'])
    await sql`drop trigger ${sql.ref(name)}`.execute(db)
  await sql`create trigger leads_counted after insert on form_submissions when new.status <> 'spam' begin
    ${changeOf('new', 1)}; end`.execute(db)
  await sql`create trigger leads_recounted after update of ${WATCHED} on form_submissions
    when ${IS_CHANGED} begin ${changeOf('old', -1)}; ${changeOf('new', 1)}; end`.execute(db)
  await sql`create trigger leads_moved after update of status on form_submissions
    when (old.status = 'spam') <> (new.status = 'spam') begin
    ${MOVE} where new.id <= (${CURSOR}) ${ADD}; end`.execute(db)
  // The dashboard of some places counts by this index alone.
  await sql`drop index form_submissions_location`.execute(db)
  await sql`create index form_submissions_location
    on form_submissions (location_id, status, submitted_at, id, form_id, local_day)`.execute(db)
}

async function recreateOnPostgres(db: Kysely<unknown>) {
  await sql`create or replace function count_lead() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then ${changeOf('old', -1)}; end if;
    ${changeOf('new', 1)};
    return null;
  end $$`.execute(db)
  await sql`create or replace function move_lead() returns trigger language plpgsql as $$
    declare counted bigint := (${CURSOR} for share);
    begin
      if new.id <= counted then ${MOVE} ${ADD}; end if;
      return null;
    end $$`.execute(db)
}
