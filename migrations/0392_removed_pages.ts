import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

export const contracts = false

/** Keeps the IDs of removed local pages, by which the live site knows them if their service is offered there again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const id = sql`${referenceType(engineOf(db))} not null`
  await sql`create table removed_local_pages (
    service_entry_id ${id},
    location_term_id ${id},
    entry_id ${id},
    primary key (service_entry_id, location_term_id)
  ) ${tableOptions(engineOf(db))}`.execute(db)
}
