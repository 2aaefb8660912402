import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectSqlite } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { documentsFromDatabase } from './documents-from-database.ts'
import type { RowDocument } from './syncing/plan-sync.ts'

/** Returns the content of a new database, made by the migrations so that it is always up to date. */
export async function seedDocuments(): Promise<Map<string, RowDocument>> {
  const folder = await mkdtemp(join(tmpdir(), 'signpost-seeds-'))
  const db = connectSqlite(join(folder, 'seeds.db'))
  try {
    await migrate(db)
    return await documentsFromDatabase(db)
  } finally {
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}
