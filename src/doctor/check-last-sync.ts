import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { listConflicts } from '../content-files/conflicts/conflict-store.ts'
import { countFileErrors, type FileError, listFileErrors } from '../content-files/file-error-store.ts'
import { formatMistake } from '../content-files/parsing/mistake.ts'
import { connectDatabase } from '../db/connect.ts'
import type { Schema } from '../db/schema.ts'
import { isMissing } from '../lib/is-missing.ts'
import { findSavedSiteSettings } from '../site/settings/site-settings-store.ts'
import { type Finding, failed, ok, warning } from './finding.ts'

const LISTED = 5
const MOST = 1_000

/**
 * Returns what the last sync left out: everything if a file had an error, or files that changed in the admin too. Also
 * returns whether the site has no settings, in neither a file nor the database.
 */
export async function checkLastSync(
  { contentDir, databaseUrl }: Config,
  { hasSettings }: { hasSettings: boolean },
): Promise<Finding> {
  const synced = ok('content', 'content', contentDir)
  const unnamed = warning('content', 'noSettings', contentDir)
  if (databaseUrl.startsWith('file:') && isMissing(databaseUrl.slice('file:'.length)))
    return hasSettings ? synced : unnamed
  await using db = connectDatabase(databaseUrl)
  const found = (await findErrors(db, contentDir)) ?? (await findConflicts(db))
  if (found) return found
  return hasSettings || (await hasSavedSettings(db)) ? synced : unnamed
}

async function findErrors(db: Kysely<Schema>, contentDir: string): Promise<Finding | undefined> {
  if (!(await hasTable(db, 'content_errors'))) return undefined
  const errors = await listFileErrors(db, { limit: LISTED })
  if (errors.length === 0) return undefined
  const said = errors.map((error) => describe(error, contentDir)).join('; ')
  return failed('content', 'fileErrors', said, (await countFileErrors(db)) - errors.length)
}

function describe({ server, ...error }: FileError, contentDir: string): string {
  return server ? `${server}: ${formatMistake(error, '')}` : formatMistake(error, contentDir)
}

async function findConflicts(db: Kysely<Schema>): Promise<Finding | undefined> {
  if (!(await hasTable(db, 'content_conflicts'))) return undefined
  const paths = (await listConflicts(db, { limit: MOST })).map(({ path }) => path)
  if (paths.length === 0) return undefined
  const names = paths.slice(0, LISTED).join(', ')
  return warning('content', 'conflicts', names, paths.length - LISTED)
}

async function hasSavedSettings(db: Kysely<Schema>): Promise<boolean> {
  return (await hasTable(db, 'settings')) && (await findSavedSiteSettings(db)) !== undefined
}

// A database that is older than this program is another check's.
async function hasTable(db: Kysely<Schema>, table: keyof Schema): Promise<boolean> {
  return (await db.introspection.getTables()).some(({ name }) => name === table)
}
