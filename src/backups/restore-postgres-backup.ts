import { connectDatabase } from '../db/connect.ts'
import type { Db } from '../db/schema.ts'
import { Failure } from '../lib/messages.ts'
import { backupTexts } from '../messages/command-line/data.ts'
import { countRelations } from './backed-up-rows-store.ts'
import { type BackupFile, openToRead, streamDump, streamUploads } from './backup-file-store.ts'
import { checkDump } from './check-backup.ts'
import type { PostgresSource } from './make-postgres-backup.ts'
import { findClientProblem, restoreDump } from './postgres-programs.ts'
import { bringBack, explainUnreadable, refuseNoFile } from './restore-backup.ts'

/**
 * Restores a PostgreSQL backup into an empty database, with visitors' files and pictures. Returns when it was made.
 * Everything is checked first. Throws, with nothing changed, if the backup is damaged, changed, sealed with none of
 * these keys, or newer than this program, if the database is not empty, or if `pg_restore` is missing or too old.
 */
export async function restorePostgresBackup(
  target: PostgresSource,
  { file, formerKeys = [] }: { file: string; formerKeys?: readonly Uint8Array[] },
): Promise<string> {
  refuseNoFile(file)
  const secretKeys = [target.secretKey, ...formerKeys]
  using backup = await explainUnreadable(file, async () => openToRead(file))
  // A dump is code that the database runs, so its seal is always checked.
  const madeAt = await explainUnreadable(file, () => checkDump(backup, { file, secretKeys, anyKey: false }))
  await refuseUnfitServer(target.databaseUrl)
  await restoreChecked(backup, target)
  return madeAt
}

async function refuseUnfitServer(databaseUrl: string) {
  const db = connectDatabase(databaseUrl)
  await refuseUnfit(db, databaseUrl).finally(() => db.destroy())
}

/** Throws if `pg_restore` does not fit the server, or the database is not empty. */
export async function refuseUnfit(db: Db, databaseUrl: string): Promise<void> {
  const problem = await findClientProblem(db, 'pg_restore')
  if (problem) throw problem
  const count = await countRelations(db)
  const { host, pathname } = new URL(databaseUrl)
  if (count > 0) throw new Failure(backupTexts, 'databaseNotEmpty', host + pathname, count)
}

/** Restores a checked backup into an empty database, files first: those without a submission are swept a day later. */
export async function restoreChecked(backup: BackupFile, target: PostgresSource) {
  for (const upload of streamUploads(backup)) await bringBack(upload, target)
  await restoreDump(target.databaseUrl, streamDump(backup))
}
