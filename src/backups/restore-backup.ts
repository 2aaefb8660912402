import { existsSync, statSync } from 'node:fs'
import { chmod, copyFile, mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tryFileLock } from '../db/file-lock.ts'
import { sha256Hex } from '../lib/canonical-json.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { Failure } from '../lib/messages.ts'
import { syncPath } from '../lib/sync-path.ts'
import { backupTexts } from '../messages/command-line/data.ts'
import { UPLOADS } from '../submissions/uploads/upload-folder.ts'
import {
  closeForReplacement,
  openBackup,
  removeBackupTables,
  removeUnfinished,
  type StoredUpload,
  streamUploads,
} from './backup-file-store.ts'
import { type Check, checkContents } from './check-backup.ts'
import { type BackupSource, makeBackup, PICTURES_PLACE } from './make-backup.ts'

const UPLOAD_PLACE = /^[0-9a-f]{32}$/
const UPLOAD_FILE = /^\d{1,3}$/
// An older program, or a copy, may have left the backup world-readable.
const OWNER_ONLY = 0o600

export interface RestoreReport {
  /** When the restored state was copied. */
  madeAt: string
  /** Path of the previous database; undefined if there was none. */
  keptAt: string | undefined
}

export interface RestoreOptions {
  file: string
  /** Path for the previous database. */
  keepDir: string
  /** Former keys of the target, which sealed earlier backups. */
  formerKeys?: readonly Uint8Array[]
  /** Restores a backup without a seal, or with that of another secret key: neither can be checked. */
  anyKey?: boolean
  now: Date
}

/**
 * Replaces the database by the backup's and restores visitors' files and pictures. Everything is checked first, and the
 * replaced data is kept in `keepDir`. Throws, with nothing changed, if the backup is damaged, changed, unfinished, or
 * newer than this program, or while a server uses the database.
 */
export async function restoreBackup(
  target: BackupSource,
  { file, keepDir, formerKeys = [], anyKey = false, now }: RestoreOptions,
): Promise<RestoreReport> {
  refuseNoFile(file)
  const secretKeys = [target.secretKey, ...formerKeys]
  makeFolder(dirname(target.databasePath))
  const unlock = tryFileLock(`${target.databasePath}.server`)
  if (!unlock) throw new Failure(backupTexts, 'serverRuns')
  const incoming = `${target.databasePath}.restoring`
  try {
    await removeUnfinished(incoming)
    await copyFile(file, incoming)
    await chmod(incoming, OWNER_ONLY)
    const madeAt = await checkBackup(incoming, { file, anyKey, secretKeys })
    refuseOpenDatabase(target)
    await bringBackFiles(incoming, target)
    const keptAt = await putAside(target, keepDir, now)
    await rename(incoming, target.databasePath)
    await syncPath(dirname(target.databasePath))
    return { madeAt, keptAt }
  } finally {
    await removeUnfinished(incoming)
    unlock()
  }
}

/** Throws if the file does not exist. */
export function refuseNoFile(file: string) {
  const found = statSync(file, { throwIfNoEntry: false })
  if (!found) throw new Failure(backupTexts, 'notThere', file)
  if (!found.isFile()) throw new Failure(backupTexts, 'notAFile', file)
}

async function checkBackup(path: string, check: Check): Promise<string> {
  return explainUnreadable(check.file, async () => {
    using backup = openBackup(path)
    return await checkContents(backup, check)
  })
}

/** Reads a backup; one that SQLite cannot read is damaged. */
export async function explainUnreadable<Result>(file: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    throw new Failure(backupTexts, 'damaged', file, (error as Error).message)
  }
}

function isUnreadable(error: unknown) {
  return /^SQLITE_(NOTADB|CORRUPT|IOERR)/.test(String((error as { code?: string }).code))
}

// Before the database: files without a submission are harmless and are swept a day later.
async function bringBackFiles(path: string, target: BackupSource) {
  const backup = openBackup(path)
  try {
    for (const upload of streamUploads(backup)) await bringBack(upload, target)
    removeBackupTables(backup)
  } finally {
    backup.close()
    await syncPath(path)
  }
}

/** Stores one file of a backup. Throws if its name is not that of an upload. */
export async function bringBack(
  { folder, file, bytes }: StoredUpload,
  { files, pictureFiles }: Pick<BackupSource, 'files' | 'pictureFiles'>,
) {
  if (folder === PICTURES_PLACE && sha256Hex(bytes) === file) return pictureFiles.write(file, bytes)
  if (!UPLOAD_PLACE.test(folder) || !UPLOAD_FILE.test(file))
    throw new Failure(backupTexts, 'foreignUpload', `${folder}/${file}`)
  await files.write(`${UPLOADS}/${folder}/${file}`, new Blob([new Uint8Array(bytes)]))
}

function refuseOpenDatabase({ databasePath }: BackupSource) {
  if (!existsSync(databasePath)) return
  try {
    closeForReplacement(databasePath)
  } catch (error) {
    // An unreadable database is moved aside unchanged.
    if (isOpenElsewhere(error)) throw new Failure(backupTexts, 'databaseOpen')
  }
}

function isOpenElsewhere(error: unknown): boolean {
  return (error as { code?: string }).code === 'SQLITE_BUSY'
}

// An unreadable database is moved unchanged.
async function putAside(target: BackupSource, keepDir: string, now: Date): Promise<string | undefined> {
  if (!existsSync(target.databasePath)) return undefined
  const keptAt = join(keepDir, `before-restore-${now.toISOString().replace(/[-:.]/g, '')}.db`)
  try {
    await makeBackup(target, { file: keptAt, now })
    closeForReplacement(target.databasePath)
  } catch (error) {
    if (isOpenElsewhere(error)) throw new Failure(backupTexts, 'openedMeanwhile')
    await moveDatabase(target.databasePath, keptAt)
  }
  return keptAt
}

async function moveDatabase(from: string, to: string) {
  await mkdir(dirname(to), { recursive: true })
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(from + suffix)) await rename(from + suffix, to + suffix)
  }
}
