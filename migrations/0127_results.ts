import { type Kysely, sql } from 'kysely'
import { type Engine, engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * What pages bring: views and phone taps, and leads, added up by day, month and year. Each change of a lead leaves a row
 * with the difference, in its own transaction, which is added to the sums later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await createCounts(db, engine, { table: 'traffic_counts', counts: ['views', 'taps'] })
  await createCounts(db, engine, { table: 'lead_counts', counts: ['leads'] })
  await createChanges(db, engine)
  await (engine === 'sqlite' ? createSqliteTriggers(db) : createPostgresTriggers(db))
}

// `place` has the slugs from the root, and is empty for what is about no place.
async function createCounts(
  db: Kysely<unknown>,
  engine: Engine,
  { table, counts }: { table: string; counts: readonly string[] },
) {
  const columns = counts.map((name) => sql`${sql.ref(name)} ${referenceType(engine)} not null`)
  await sql`create table if not exists ${sql.table(table)} (
    period text not null,
    dimension text not null check (dimension in ('all', 'service', 'source', 'page')),
    subject text not null,
    place text not null,
    ${sql.join(columns)},
    primary key (period, dimension, subject, place)
  ) ${engine === 'sqlite' ? sql`strict, without rowid` : tableOptions(engine)}`.execute(db)
}

async function createChanges(db: Kysely<unknown>, engine: Engine) {
  const id =
    engine === 'sqlite' ? sql`integer primary key` : sql`bigint generated always as identity primary key`
  await sql`create table if not exists lead_changes (
    id ${id},
    day text not null,
    service text not null,
    place text not null,
    source text not null,
    page text not null,
    leads ${referenceType(engine)} not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`insert into lead_changes (day, service, place, source, page, leads)
    select substr(submitted_at, 1, 10), coalesce(service_slug, ''), coalesce(location_path, ''),
      coalesce(source, 'unknown'), coalesce(page_path, ''), count(*)
    from form_submissions where status <> 'spam' and not exists (select 1 from lead_counts)
      and not exists (select 1 from lead_changes)
    group by 1, 2, 3, 4, 5`.execute(db)
}

const COLUMNS = sql`day, service, place, source, page, leads`
// Spam is no lead; a lead that is deleted stays counted.
const changeOf = (row: 'old' | 'new', leads: 1 | -1) => sql`insert into lead_changes (${COLUMNS})
  select substr(${sql.ref(`${row}.submitted_at`)}, 1, 10), coalesce(${sql.ref(`${row}.service_slug`)}, ''),
    coalesce(${sql.ref(`${row}.location_path`)}, ''), coalesce(${sql.ref(`${row}.source`)}, 'unknown'),
    coalesce(${sql.ref(`${row}.page_path`)}, ''), ${sql.lit(leads)}
  where ${sql.ref(`${row}.status`)} <> 'spam'`
const WATCHED = sql`status, submitted_at, service_slug, location_path, source, page_path`
const IS_CHANGED = sql`(old.status = 'spam') <> (new.status = 'spam') or old.submitted_at <> new.submitted_at
  or coalesce(old.service_slug, '') <> coalesce(new.service_slug, '')
  or coalesce(old.location_path, '') <> coalesce(new.location_path, '')
  or coalesce(old.source, '') <> coalesce(new.source, '') or coalesce(old.page_path, '') <> coalesce(new.page_path, '')`

async function createSqliteTriggers(db: Kysely<unknown>) {
  await sql`create trigger if not exists leads_counted after insert on form_submissions when new.status <> 'spam' begin
    ${changeOf('new', 1)}; end`.execute(db)
  await sql`create trigger if not exists leads_recounted after update of ${WATCHED} on form_submissions
    when ${IS_CHANGED} begin ${changeOf('old', -1)}; ${changeOf('new', 1)}; end`.execute(db)
}

async function createPostgresTriggers(db: Kysely<unknown>) {
  await sql`create or replace function count_lead() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then ${changeOf('old', -1)}; end if;
    ${changeOf('new', 1)};
    return null;
  end $$`.execute(db)
  await sql`create or replace trigger leads_counted after insert on form_submissions
    for each row when (new.status <> 'spam') execute function count_lead()`.execute(db)
  await sql`create or replace trigger leads_recounted after update of ${WATCHED} on form_submissions
    for each row when (${IS_CHANGED}) execute function count_lead()`.execute(db)
}
