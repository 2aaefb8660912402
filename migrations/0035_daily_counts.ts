import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * What happened on each day, counted once: the dashboard would otherwise look through a million rows. A cursor says up
 * to which row of a table the counts go.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table daily_counts (
    day text not null,
    series text not null check (series in ('submissions', 'spam', 'attempts', 'duration')),
    subject text not null,
    count ${referenceType(engine)} not null,
    primary key (day, series, subject)
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create table count_cursors (
    source text primary key check (source in ('submissions', 'attempts')),
    last_id ${referenceType(engine)} not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`insert into count_cursors (source, last_id) values ('submissions', 0), ('attempts', 0)
    on conflict (source) do nothing`.execute(db)
}
