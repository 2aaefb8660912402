import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Links to the next site, with who approved it. Only the hash of a link is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table if not exists publish_previews (
    id ${idType(engine)},
    token_sha256 text not null unique,
    made_at text not null,
    made_by text not null,
    expires_at text not null,
    ended_at text,
    release_id text not null,
    change_id ${referenceType(engine)} not null,
    pages_sha256 text not null,
    changes_json text not null,
    selected_json text,
    approved_at text,
    approved_by text,
    approval_note text,
    published_at text
  ) ${tableOptions(engine)}`.execute(db)
}
