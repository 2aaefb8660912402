import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType } from '../src/db/dialects.ts'

/**
 * Keeps the IDs of a lead's place and service, which stay when slugs are renamed or used again; 0 when they are not known
 * any more. Leads of before get theirs in the background, and so do the sums of results. Without references: a lead keeps
 * the ID of a place that is deleted, which may come back from the trash.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  for (const column of ['location_id', 'service_id'])
    await sql`alter table form_submissions add column ${sql.ref(column)} ${referenceType(engine)}`.execute(db)
  await sql`create index form_submissions_location
    on form_submissions (location_id, status, submitted_at, id)`.execute(db)
  await sql`create index form_submissions_unplaced on form_submissions (id)
    where location_id is null and service_id is null and coalesce(location_slug, service_slug) is not null`.execute(
    db,
  )
  await sql`drop index if exists form_submissions_place`.execute(db)
  for (const table of ['lead_counts', 'traffic_counts']) await indexOldKeys(db, table)
  await (engine === 'sqlite' ? recreateSqliteTriggers(db) : recreatePostgresTriggers(db))
}

// Sums that name a place or a service by its slugs: none when all were brought over.
async function indexOldKeys(db: Kysely<unknown>, table: string) {
  await sql`create index ${sql.ref(`${table}_of_slugs`)} on ${sql.table(table)} (period)
    where (place <> '' and substr(place, 1, 1) not in ('#', '='))
      or (dimension = 'service' and subject <> '' and substr(subject, 1, 1) not in ('#', '='))`.execute(db)
}

const COLUMNS = sql`day, service, place, source, page, leads`
// `#12` is an ID, and `=texas/austin` what is gone; slugs alone wait to be brought over.
const keyOf = (row: string, id: string, slugs: string) => sql`case
  when ${sql.ref(`${row}.${id}`)} > 0 then '#' || ${sql.ref(`${row}.${id}`)}
  when ${sql.ref(`${row}.${slugs}`)} is null then ''
  when ${sql.ref(`${row}.${id}`)} = 0 then '=' || ${sql.ref(`${row}.${slugs}`)}
  else ${sql.ref(`${row}.${slugs}`)} end`
const serviceOf = (row: string) => keyOf(row, 'service_id', 'service_slug')
const placeOf = (row: string) => keyOf(row, 'location_id', 'location_path')
// Spam is no lead; a lead that is deleted stays counted.
const changeOf = (row: 'old' | 'new', leads: 1 | -1) => sql`insert into lead_changes (${COLUMNS})
  select substr(${sql.ref(`${row}.submitted_at`)}, 1, 10), ${serviceOf(row)}, ${placeOf(row)},
    coalesce(${sql.ref(`${row}.source`)}, 'unknown'), coalesce(${sql.ref(`${row}.page_path`)}, ''), ${sql.lit(leads)}
  where ${sql.ref(`${row}.status`)} <> 'spam'`
const WATCHED = sql`status, submitted_at, service_slug, service_id, location_path, location_id, source, page_path`
const IS_CHANGED = sql`(old.status = 'spam') <> (new.status = 'spam') or old.submitted_at <> new.submitted_at
  or ${serviceOf('old')} <> ${serviceOf('new')} or ${placeOf('old')} <> ${placeOf('new')}
  or coalesce(old.source, '') <> coalesce(new.source, '') or coalesce(old.page_path, '') <> coalesce(new.page_path, '')`

async function recreateSqliteTriggers(db: Kysely<unknown>) {
  for (const name of ['leads_counted', 'leads_recounted'])
    await sql`drop trigger if exists ${sql.ref(name)}`.execute(db)
  await sql`create trigger leads_counted after insert on form_submissions when new.status <> 'spam' begin
    ${changeOf('new', 1)}; end`.execute(db)
  await sql`create trigger leads_recounted after update of ${WATCHED} on form_submissions
    when ${IS_CHANGED} begin ${changeOf('old', -1)}; ${changeOf('new', 1)}; end`.execute(db)
}

async function recreatePostgresTriggers(db: Kysely<unknown>) {
  await sql`create or replace function count_lead() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then ${changeOf('old', -1)}; end if;
    ${changeOf('new', 1)};
    return null;
  end $$`.execute(db)
  await sql`create or replace trigger leads_recounted after update of ${WATCHED} on form_submissions
    for each row when (${IS_CHANGED}) execute function count_lead()`.execute(db)
}
