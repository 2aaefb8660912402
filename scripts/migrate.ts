import type { Kysely } from 'kysely'
import { readConfig } from '../src/config.ts'
import { MIGRATING } from '../src/db/deadlines.ts'
import { findSchemaRevision, listMigrations, migrate } from '../src/db/migrate.ts'
import type { Schema } from '../src/db/schema.ts'
import { databaseCommandTexts } from '../src/messages/command-line/data.ts'
import { usages, usageTexts } from '../src/messages/command-line/usage.ts'
import { runCommand, WrongUsage } from './command-line.ts'
import { withDatabase, withDatabaseAsItIs } from './open-database.ts'

await runCommand(
  { usage: usages.migrate, options: { status: { type: 'boolean', default: false }, to: { type: 'string' } } },
  async ({ status, to }) => {
    if (status && to !== undefined) throw new WrongUsage(usageTexts.notTogether('--status', '--to'))
    const { databaseUrl } = readConfig(undefined, { isReadOnly: status })
    if (status) await withDatabaseAsItIs(databaseUrl, printStatus)
    else await withDatabase(databaseUrl, (db) => applyAndPrint(db, to), MIGRATING)
  },
)

async function printStatus(db: Kysely<Schema>) {
  for (const { name, appliedAt } of await listMigrations(db)) {
    console.log(
      `${name}  ${appliedAt ? databaseCommandTexts.appliedAt(appliedAt.toISOString()) : databaseCommandTexts.pending}`,
    )
  }
}

async function applyAndPrint(db: Kysely<Schema>, to: string | undefined) {
  const applied = await migrate(db, to === undefined ? {} : { to })
  for (const name of applied) console.log(databaseCommandTexts.applied(name))
  if (applied.length === 0) console.log(databaseCommandTexts.nothingToApply(await findSchemaRevision(db)))
}
