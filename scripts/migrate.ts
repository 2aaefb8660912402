import type { Kysely } from 'kysely'
import { readConfig } from '../src/config.ts'
import { findSchemaRevision, listMigrations, migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase, withDatabaseAsItIs } from './open-database.ts'

const USAGE = 'npm run migrate [-- --status | -- --to REVISION]'

await runCommand(
  { usage: USAGE, options: { status: { type: 'boolean', default: false }, to: { type: 'string' } } },
  async ({ status, to }) => {
    if (status && to !== undefined) throw new WrongUsage('--status and --to exclude each other')
    const { databaseUrl } = readConfig(undefined, { isReadOnly: status })
    if (status) await withDatabaseAsItIs(databaseUrl, printStatus)
    else await withDatabase(databaseUrl, (db) => applyAndPrint(db, to))
  },
)

async function printStatus(db: Kysely<Schema>) {
  for (const { name, appliedAt } of await listMigrations(db)) {
    console.log(`${name}  ${appliedAt ? `applied ${appliedAt.toISOString()}` : 'pending'}`)
  }
}

async function applyAndPrint(db: Kysely<Schema>, to: string | undefined) {
  const applied = await migrate(db, to === undefined ? {} : { to })
  for (const name of applied) console.log(`Applied ${name}`)
  if (applied.length === 0)
    console.log(`Nothing to apply: the database is at ${await findSchemaRevision(db)}`)
}
