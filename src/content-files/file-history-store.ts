import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'

const ROWS_PER_STATEMENT = 200
const KEPT_MS = 180 * 24 * 3_600_000

/** A file, identified by a hash of its document. */
export interface FileHash {
  path: string
  sha256: string
}

/** Returns the hashes of the files that a server had at its last sync, by path. */
export async function listServerFiles(db: Db, server: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('content_server_files')
    .select(['path', 'sha256'])
    .where('server', '=', server)
    .execute()
  return new Map(rows.map(({ path, sha256 }) => [path, sha256]))
}

/** Replaces them, except paths that the sync left alone. Forgets servers that haven't synced for half a year. */
export async function saveServerFiles(
  db: Db,
  server: string,
  { files, removed, now }: { files: readonly FileHash[]; removed: readonly string[]; now: Date },
): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS).toISOString()
  await db.deleteFrom('content_server_files').where('synced_at', '<', before).execute()
  for (const paths of chunksOf(removed, ROWS_PER_STATEMENT))
    await db
      .deleteFrom('content_server_files')
      .where('server', '=', server)
      .where('path', 'in', paths)
      .execute()
  for (const chunk of chunksOf(files, ROWS_PER_STATEMENT))
    await db
      .insertInto('content_server_files')
      .values(chunk.map((file) => ({ server, ...file, synced_at: now.toISOString() })))
      .onConflict((conflict) =>
        conflict.columns(['server', 'path']).doUpdateSet((row) => ({
          sha256: row.ref('excluded.sha256'),
          synced_at: row.ref('excluded.synced_at'),
        })),
      )
      .execute()
}

/** Returns which of these files were ever synced by any server. */
export async function listKnownFiles(db: Db, files: readonly FileHash[]): Promise<FileHash[]> {
  const known: FileHash[] = []
  for (const chunk of chunksOf(files, ROWS_PER_STATEMENT)) {
    const hashes = new Map(chunk.map(({ path, sha256 }) => [path, sha256]))
    const rows = await db
      .selectFrom('content_file_hashes')
      .select(['path', 'sha256'])
      .where('path', 'in', [...hashes.keys()])
      .execute()
    known.push(...rows.filter(({ path, sha256 }) => hashes.get(path) === sha256))
  }
  return known
}

/** Records synced files. */
export async function addKnownFiles(db: Db, files: readonly FileHash[]): Promise<void> {
  for (const chunk of chunksOf(files, ROWS_PER_STATEMENT))
    await db
      .insertInto('content_file_hashes')
      .values(chunk)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
