import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Invitations: a new user chooses the first password behind a link that expires. A user has one invitation at most. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table if not exists admin_invitations (
    user_id ${referenceType(engine)} primary key references admin_users (id) on delete cascade,
    token_sha256 text not null unique,
    expires_at text not null
  ) ${tableOptions(engine)}`.execute(db)
}
