import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType } from '../src/db/dialects.ts'

/**
 * Bounds the time of reports, however many pages and places a site has: sums of all places together (place `#`), sums of
 * a place over a year, and keys in the order that reports of some places read. Changes of leads that are waiting are added
 * up here, in one statement. The index of leads by place gets what the dashboard of some places counts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addUpChanges(db)
  for (const [table, counts] of Object.entries(COUNTS)) {
    await reorder(db, table, counts)
    await addTotals(db, table, counts)
    await createIndexes(db, table, counts[0])
  }
  await sql`drop index form_submissions_location`.execute(db)
  await sql`create index form_submissions_location
    on form_submissions (location_id, status, submitted_at, id, form_id)`.execute(db)
}

const COUNTS: Readonly<Record<string, readonly [string, string]>> = {
  traffic_counts: ['views', 'taps'],
  lead_counts: ['leads', 'won'],
}
const KEY = sql`period, dimension, subject, place`
const SUMS = [
  { dimension: 'all', subject: sql`''`, lengths: [10, 7] },
  ...['service', 'source', 'page'].map((name) => ({
    dimension: name,
    subject: sql.ref(name),
    lengths: [7, 4],
  })),
]

async function addUpChanges(db: Kysely<unknown>) {
  for (const { dimension, subject, lengths } of SUMS)
    for (const length of lengths)
      await sql`insert into lead_counts (${KEY}, leads, won)
        select substr(day, 1, ${sql.lit(length)}), ${sql.lit(dimension)}, ${subject}, place, sum(leads), sum(won)
        from lead_changes where true group by 1, 3, 4
        on conflict (${KEY}) do update set leads = lead_counts.leads + excluded.leads, won = lead_counts.won + excluded.won`.execute(
        db,
      )
  await sql`delete from lead_changes`.execute(db)
}

async function reorder(db: Kysely<unknown>, table: string, counts: readonly string[]) {
  const key = sql`primary key (period, dimension, place, subject)`
  if (engineOf(db) === 'postgres') {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_pkey`)}, add ${key}`.execute(
      db,
    )
    return
  }
  const before = `${table}_before`
  const names = sql.join(counts.map((name) => sql.ref(name)))
  const columns = counts.map(
    (name) =>
      sql`${sql.ref(name)} ${referenceType('sqlite')} not null${sql.raw(name === 'won' ? ' default 0' : '')}`,
  )
  await sql`alter table ${sql.table(table)} rename to ${sql.table(before)}`.execute(db)
  await sql`create table ${sql.table(table)} (
    period text not null,
    dimension text not null check (dimension in ('all', 'service', 'source', 'page')),
    subject text not null,
    place text not null,
    ${sql.join(columns)},
    ${key}
  ) strict, without rowid`.execute(db)
  await sql`insert into ${sql.table(table)} (${KEY}, ${names}) select ${KEY}, ${names} from ${sql.table(before)}
    order by period, dimension, place, subject`.execute(db)
  await sql`drop table ${sql.table(before)}`.execute(db)
}

async function addTotals(db: Kysely<unknown>, table: string, counts: readonly string[]) {
  const names = sql.join(counts.map((name) => sql.ref(name)))
  const sums = sql.join(counts.map((name) => sql`sum(${sql.ref(name)})`))
  await sql`insert into ${sql.table(table)} (${KEY}, ${names}) select period, 'all', '', place, ${sums}
    from ${sql.table(table)} where dimension = 'service' and length(period) = 4 group by period, place`.execute(
    db,
  )
  await sql`insert into ${sql.table(table)} (${KEY}, ${names}) select period, dimension, subject, '#', ${sums}
    from ${sql.table(table)} group by period, dimension, subject`.execute(db)
}

async function createIndexes(db: Kysely<unknown>, table: string, count: string) {
  await sql`create index ${sql.ref(`${table}_pages`)} on ${sql.table(table)} (period, ${sql.ref(count)})
    where dimension = 'page' and place = '#'`.execute(db)
  await sql`create index ${sql.ref(`${table}_months`)} on ${sql.table(table)} (period)
    where dimension = 'all' and place = '#' and length(period) = 7`.execute(db)
  if (engineOf(db) === 'postgres') return
  // As in migration 0230.
  await sql`create index ${sql.ref(`${table}_of_slugs`)} on ${sql.table(table)} (period)
    where (place <> '' and substr(place, 1, 1) not in ('#', '='))
      or (dimension = 'service' and subject <> '' and substr(subject, 1, 1) not in ('#', '='))`.execute(db)
}
