import type { Config } from '../config.ts'
import { listConflicts } from '../content-files/conflicts/conflict-store.ts'
import { connectDatabase } from '../db/connect.ts'
import { isMissing } from '../lib/is-missing.ts'
import { type Finding, ok, warning } from './finding.ts'

const LISTED = 5
const MOST = 1_000

/** Returns whether files are left that the last sync did not take over, because the admin changed too. */
export async function checkConflicts({ contentDir, databaseUrl }: Config): Promise<Finding> {
  const paths = await listPaths(databaseUrl)
  if (paths.length === 0) return ok('content', 'content', contentDir)
  const names = paths.slice(0, LISTED).join(', ')
  return warning('content', 'conflicts', names, paths.length - LISTED)
}

// A database that is missing, or older than this program, is another check's.
async function listPaths(databaseUrl: string): Promise<string[]> {
  if (databaseUrl.startsWith('file:') && isMissing(databaseUrl.slice('file:'.length))) return []
  const db = connectDatabase(databaseUrl)
  try {
    const tables = await db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'content_conflicts')) return []
    return (await listConflicts(db, { limit: MOST })).map(({ path }) => path)
  } finally {
    await db.destroy()
  }
}
