import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Links to a new password. A user has one at most, and only its hash is stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table if not exists admin_password_resets (
    user_id ${referenceType(engine)} primary key references admin_users (id) on delete cascade,
    token_sha256 text not null unique,
    expires_at text not null
  ) ${tableOptions(engine)}`.execute(db)
}
