import { type Kysely, sql } from 'kysely'
import { engineOf, referenceType, tableOptions } from '../src/db/dialects.ts'

/** Copies of the site outside, one row for each kind of work, and the changed addresses that others are still to be told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const engine = engineOf(db)
  const integer = referenceType(engine)
  await sql`create table if not exists publish_outlets (
    name text primary key not null check (name in ('upload', 'purge', 'indexnow')),
    status text not null check (status in ('done', 'running', 'failed')),
    release_id text,
    done ${integer} not null default 0,
    total ${integer} not null default 0,
    failures ${integer} not null default 0,
    failure_message text,
    updated_at text not null,
    next_attempt_at text not null,
    claimed_by text,
    claimed_until text
  ) ${tableOptions(engine)}`.execute(db)
  await sql`create table if not exists outlet_addresses (
    name text not null check (name in ('purge', 'indexnow')),
    address text not null,
    primary key (name, address)
  ) ${tableOptions(engine)}`.execute(db)
}
