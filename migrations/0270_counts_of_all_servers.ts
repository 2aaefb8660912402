import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Lets several servers count posts and uploads together, and know each other's code for the first account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table recent_uploads (
    id ${idType(engine)},
    address_hash text not null,
    started_at text not null,
    bytes ${referenceType(engine)} not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index recent_uploads_sender on recent_uploads (address_hash, started_at)`.execute(db)
  await sql`create table setup_codes (
    code_hash text primary key,
    created_at text not null
  ) ${tableOptions(engine)}`.execute(db)
  // SQLite counts in memory, and reads the rows in the order of their ids.
  if (engine === 'postgres')
    await sql`create index recent_posts_sender on recent_posts (address_hash, posted_at)`.execute(db)
}
