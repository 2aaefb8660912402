import { type Kysely, sql } from 'kysely'
import { engineOf, idType, referenceType, tableOptions } from '../src/db/dialects.ts'

/**
 * Passkeys of users, the challenges that their devices sign, and what a session was opened with besides the password:
 * null for nothing, which sessions of before have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  await sql`create table if not exists admin_passkeys (
    id ${idType(engine)},
    user_id ${referenceType(engine)} not null references admin_users (id) on delete cascade,
    credential_id text not null unique,
    public_key text not null,
    sign_count ${referenceType(engine)} not null check (sign_count >= 0),
    transports_json text not null,
    host text not null,
    name text not null,
    created_at text not null,
    last_used_at text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index if not exists admin_passkeys_user on admin_passkeys (user_id)`.execute(db)
  await sql`create table if not exists passkey_challenges (
    holder text primary key not null,
    challenge text not null,
    address text not null,
    expires_at text not null
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create index if not exists passkey_challenges_expiry on passkey_challenges (expires_at)`.execute(
    db,
  )
  await sql`alter table admin_users add column passkey_user_id text`.execute(db)
  await sql`alter table admin_sessions add column second_factor text
    check (second_factor in ('code', 'passkey'))`.execute(db)
}
