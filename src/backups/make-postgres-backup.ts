import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connectDatabase } from '../db/connect.ts'
import { withFileLock } from '../db/file-lock.ts'
import { makePrivateFile } from '../db/private-file.ts'
import { openSharedSnapshot } from '../db/snapshot.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { Failure } from '../lib/messages.ts'
import { syncPath } from '../lib/sync-path.ts'
import { backupTexts } from '../messages/command-line/data.ts'
import { type BackedUpRows, readBackedUpRows } from './backed-up-rows-store.ts'
import {
  type BackupFile,
  createDumpTable,
  findDamage,
  openBackup,
  removeUnfinished,
  writeLabel,
  writeRevisions,
} from './backup-file-store.ts'
import { sealLabel } from './backup-seal.ts'
import { digestContents } from './digest-store.ts'
import { addFiles, type BackupReport, type BackupSource } from './make-backup.ts'
import { findClientProblem, readDump } from './postgres-programs.ts'

export interface PostgresSource extends Omit<BackupSource, 'databasePath'> {
  databaseUrl: string
  /** Folder of this server, for the lock of backups. */
  dataDir: string
}

/**
 * Writes one file with a consistent dump of the PostgreSQL database, visitors' files, and pictures, while servers keep
 * writing. It gets its name once it is complete, checked, and on disk. Throws if `file` exists, `pg_dump` is missing or
 * older than the server, or the database is not Signpost's.
 */
export async function makePostgresBackup(
  source: PostgresSource,
  { file, now }: { file: string; now: Date },
): Promise<BackupReport> {
  makeFolder(dirname(file))
  return withFileLock(join(source.dataDir, 'postgres.backup'), async () => {
    if (existsSync(file)) throw new Failure(backupTexts, 'exists', file)
    await refuseWithoutClient(source.databaseUrl)
    const unfinished = `${file}.unfinished`
    await removeUnfinished(unfinished)
    try {
      makePrivateFile(unfinished)
      const uploads = await writeBackup(unfinished, source, now)
      await rename(unfinished, file)
      await syncPath(dirname(file))
      return { file, uploads }
    } finally {
      await removeUnfinished(unfinished)
    }
  })
}

async function refuseWithoutClient(databaseUrl: string) {
  const db = connectDatabase(databaseUrl)
  const problem = await findClientProblem(db, 'pg_dump').finally(() => db.destroy())
  if (problem) throw problem
}

async function writeBackup(path: string, source: PostgresSource, now: Date): Promise<number> {
  const copy = openBackup(path)
  try {
    const rows = await dumpInto(copy, source.databaseUrl)
    return await completeCopy(copy, { rows, source, now })
  } finally {
    copy.close()
    await syncPath(path)
  }
}

/** Adds files and a label to a copy with a dump. Returns the number of visitors' files. Throws if it is damaged. */
export async function completeCopy(
  copy: BackupFile,
  {
    rows,
    source,
    now,
  }: {
    rows: Pick<BackedUpRows, 'folders' | 'pictures'>
    source: Pick<PostgresSource, 'files' | 'pictureFiles' | 'secretKey'>
    now: Date
  },
): Promise<number> {
  const uploads = await addFiles(copy, rows, source)
  const damage = findDamage(copy)
  if (damage) throw new Failure(backupTexts, 'copyDamaged', damage)
  const label = { madeAt: now.toISOString(), digest: digestContents(copy) }
  writeLabel(copy, { ...label, seal: sealLabel(label, source.secretKey) })
  return uploads
}

// The files in the same snapshot.
async function dumpInto(copy: BackupFile, databaseUrl: string) {
  const table = createDumpTable(copy)
  await using snapshot = await openSharedSnapshot(databaseUrl, async (token) => {
    for await (const part of readDump(databaseUrl, token)) table.add(part)
    table.close()
  })
  const { revisions, ...rows } = await readBackedUpRows(snapshot.db)
  const { host, pathname } = new URL(databaseUrl)
  if (!revisions) throw new Failure(backupTexts, 'notOurDatabase', host + pathname)
  writeRevisions(copy, revisions)
  return rows
}
