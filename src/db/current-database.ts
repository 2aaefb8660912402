import type { Kysely } from 'kysely'
import { isMissing } from '../lib/is-missing.ts'
import { Failure } from '../lib/messages.ts'
import { problemTexts } from '../messages/command-line/problems.ts'
import { listMigrations, refuseNewerDatabase } from './migrate.ts'
import type { Schema } from './schema.ts'

/** Returns whether there is no database yet. */
export function hasNoDatabase(databaseUrl: string): boolean {
  return databaseUrl.startsWith('file:') && isMissing(databaseUrl.slice('file:'.length))
}

/** Throws where there is no database yet. */
export function refuseWithoutDatabase(databaseUrl: string): void {
  if (hasNoDatabase(databaseUrl)) throw new Failure(problemTexts, 'databaseMissing')
}

/** Throws when the database is newer than the program, or migrations are pending. `what` names who asks. */
export async function refuseOtherRevision(db: Kysely<Schema>, what: string): Promise<void> {
  await refuseNewerDatabase(db)
  const pending = (await listMigrations(db)).filter(({ appliedAt }) => !appliedAt)
  if (pending.length > 0) throw new Failure(problemTexts, 'migrationsPending', what)
}
