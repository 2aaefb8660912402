import { type Kysely, sql } from 'kysely'
import { engineOf, nowAsText, tableOptions } from '../src/db/dialects.ts'

export const contracts = false

/** Errors in content files that stopped the last sync of each server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table content_errors (
    server text not null,
    position integer not null,
    path text not null,
    line integer not null,
    code text not null,
    params_json text not null,
    found_at text not null default ${nowAsText(engine)},
    primary key (server, position)
  ) ${tableOptions(engine)}`.execute(db)
}
