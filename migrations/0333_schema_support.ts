import { type Kysely, sql } from 'kysely'
import packageFile from '#package.json' with { type: 'json' }
import { engineOf, tableOptions } from '../src/db/dialects.ts'

export const contracts = false

/**
 * Says which programs work with the database: those that know the last migration that took something away. That is known
 * up to `latest`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table schema_support (
    id integer primary key check (id = 1),
    revision text not null,
    version text not null,
    latest text not null
  ) ${tableOptions(engineOf(db))}`.execute(db)
  await sql`insert into schema_support (id, revision, version, latest)
    values (1, '0333_schema_support', ${packageFile.version}, '0333_schema_support')`.execute(db)
}
