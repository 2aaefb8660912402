import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

/** How good each location page was found at the last publish, and by what. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table page_quality (
    entry_id ${referenceType(engine)} primary key,
    score integer not null check (score between 0 and 100),
    is_listed integer not null check (is_listed in (0, 1)),
    facts_json text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index page_quality_score on page_quality (is_listed, score, entry_id)`.execute(db)
}
