import { type Kysely, sql } from 'kysely'
import { engineOf, tableOptions } from '../src/db/dialects.ts'

/** Hashes of content files: all that were ever synced, and those that each server had at its last sync. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const options = tableOptions(engineOf(db))
  await sql`create table if not exists content_file_hashes (
    path text not null, sha256 text not null, primary key (path, sha256)
  ) ${options}`.execute(db)
  await sql`create table if not exists content_server_files (
    server text not null, path text not null, sha256 text not null, synced_at text not null, primary key (server, path)
  ) ${options}`.execute(db)
}
