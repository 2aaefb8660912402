import { type Kysely, sql } from 'kysely'
import { engineOf } from '../src/db/dialects.ts'

export const contracts = false

/** Lets the dashboard's counts of leads follow those marked as spam, or as not spam, after they were counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await (engineOf(db) === 'sqlite' ? createSqliteTrigger(db) : createPostgresTrigger(db))
}

const IS_CHANGED = sql`(old.status = 'spam') <> (new.status = 'spam')`
const IS_SPAM = sql`(new.status = 'spam')`
// Always in this order, so that two marks never wait for each other.
const MOVE = sql`insert into daily_counts (day, series, subject, count)
  select substr(new.submitted_at, 1, 10), moved.series, cast(coalesce(new.form_id, 0) as text), moved.difference
  from (select 'spam' as series, case when ${IS_SPAM} then 1 else -1 end as difference
    union all select 'submissions', case when ${IS_SPAM} then -1 else 1 end) as moved`
const ADD = sql`on conflict (day, series, subject) do update set count = daily_counts.count + excluded.count`
const CURSOR = sql`select last_id from count_cursors where source = 'submissions'`

async function createSqliteTrigger(db: Kysely<unknown>) {
  await sql`create trigger leads_moved after update of status on form_submissions when ${IS_CHANGED} begin
    ${MOVE} where new.id <= (${CURSOR}) ${ADD}; end`.execute(db)
}

// Waits for a count that is under way: it may have read the lead as it was.
async function createPostgresTrigger(db: Kysely<unknown>) {
  await sql`create function move_lead() returns trigger language plpgsql as $$
    declare counted bigint := (${CURSOR} for share);
    begin
      if new.id <= counted then ${MOVE} ${ADD}; end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger leads_moved after update of status on form_submissions
    for each row when (${IS_CHANGED}) execute function move_lead()`.execute(db)
}
