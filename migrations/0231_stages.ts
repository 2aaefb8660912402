import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType } from '../src/db/dialects.ts'

/**
 * Lets the settings name the stages of leads, and counts won leads: `is_won` says of each lead if its stage counts as won,
 * and each change leaves a row with the difference, like those of leads. SQLite drops a check only with its column, which
 * few leads have a value in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await (engineOf(db) === 'sqlite' ? freeSqliteColumn(db) : freePostgresColumn(db))
  await sql`alter table form_submissions add column is_won ${referenceType(engineOf(db))} not null default 0
    check (is_won in (0, 1))`.execute(db)
  await sql`update form_submissions set is_won = 1 where stage <> 'new' and stage = 'won'`.execute(db)
  await sql`create index form_submissions_won on form_submissions (stage, is_won) where stage <> 'new'`.execute(
    db,
  )
  for (const table of ['lead_counts', 'lead_changes'])
    await sql`alter table ${sql.table(table)} add column won ${referenceType(engineOf(db))} not null default 0`.execute(
      db,
    )
  await sql`insert into lead_changes (${COLUMNS})
    select substr(lead.submitted_at, 1, 10), ${serviceOf('lead')}, ${placeOf('lead')}, coalesce(lead.source, 'unknown'),
      coalesce(lead.page_path, ''), 0, count(*)
    from form_submissions as lead where lead.stage <> 'new' and lead.is_won = 1 and lead.status <> 'spam'
    group by 1, 2, 3, 4, 5`.execute(db)
  await (engineOf(db) === 'sqlite' ? recreateSqliteTriggers(db) : recreatePostgresTriggers(db))
}

async function freeSqliteColumn(db: Kysely<unknown>) {
  await sql`create table kept_stages (id integer primary key, stage text not null) strict`.execute(db)
  await sql`insert into kept_stages (id, stage) select id, stage from form_submissions where stage <> 'new'`.execute(
    db,
  )
  await sql`drop index form_submissions_stage`.execute(db)
  await sql`alter table form_submissions drop column stage`.execute(db)
  await sql`alter table form_submissions add column stage text not null default 'new'`.execute(db)
  await sql`update form_submissions set stage = (select stage from kept_stages where id = form_submissions.id)
    where id in (select id from kept_stages)`.execute(db)
  await sql`drop table kept_stages`.execute(db)
  await sql`create index form_submissions_stage on form_submissions (stage, status, submitted_at, id)
    where stage <> 'new'`.execute(db)
}

async function freePostgresColumn(db: Kysely<unknown>) {
  await sql`alter table form_submissions drop constraint if exists form_submissions_stage_check`.execute(db)
}

const COLUMNS = sql`day, service, place, source, page, leads, won`
// As in migration 0230.
const keyOf = (row: string, id: string, slugs: string) => sql`case
  when ${sql.ref(`${row}.${id}`)} > 0 then '#' || ${sql.ref(`${row}.${id}`)}
  when ${sql.ref(`${row}.${slugs}`)} is null then ''
  when ${sql.ref(`${row}.${id}`)} = 0 then '=' || ${sql.ref(`${row}.${slugs}`)}
  else ${sql.ref(`${row}.${slugs}`)} end`
const serviceOf = (row: string) => keyOf(row, 'service_id', 'service_slug')
const placeOf = (row: string) => keyOf(row, 'location_id', 'location_path')
const changeOf = (row: 'old' | 'new', leads: 1 | -1) => sql`insert into lead_changes (${COLUMNS})
  select substr(${sql.ref(`${row}.submitted_at`)}, 1, 10), ${serviceOf(row)}, ${placeOf(row)},
    coalesce(${sql.ref(`${row}.source`)}, 'unknown'), coalesce(${sql.ref(`${row}.page_path`)}, ''), ${sql.lit(leads)},
    ${sql.lit(leads)} * ${sql.ref(`${row}.is_won`)}
  where ${sql.ref(`${row}.status`)} <> 'spam'`
const WATCHED = sql`status, submitted_at, service_slug, service_id, location_path, location_id, source, page_path, is_won`
const IS_CHANGED = sql`(old.status = 'spam') <> (new.status = 'spam') or old.submitted_at <> new.submitted_at
  or old.is_won <> new.is_won or ${serviceOf('old')} <> ${serviceOf('new')} or ${placeOf('old')} <> ${placeOf('new')}
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
