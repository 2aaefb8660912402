import { existsSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { withFileLock } from '../db/file-lock.ts'
import type { FileStore } from '../files/file-store.ts'
import { makeFolder } from '../lib/make-folder.ts'
import { Failure } from '../lib/messages.ts'
import { syncPath } from '../lib/sync-path.ts'
import { backupTexts } from '../messages/command-line/data.ts'
import type { PictureFiles } from '../pictures/picture-files.ts'
import { UPLOADS } from '../submissions/uploads/upload-folder.ts'
import {
  type BackupFile,
  copyDatabase,
  createUploadsTable,
  findDamage,
  listPictureHashes,
  listRevisions,
  listUploadFolders,
  openBackup,
  removeUnfinished,
  writeLabel,
} from './backup-file-store.ts'
import { sealLabel } from './backup-seal.ts'
import { digestContents } from './digest-store.ts'

/** The folder of a picture in a backup. */
export const PICTURES_PLACE = 'pictures'

export interface BackupSource {
  /** The SQLite file; other processes may write to it meanwhile. */
  databasePath: string
  /** Folder of visitors' files. */
  files: FileStore
  pictureFiles: PictureFiles
  /** Seals backups of it. */
  secretKey: Uint8Array
}

export interface BackupReport {
  file: string
  /** Files of visitors in it. */
  uploads: number
}

/**
 * Writes one file with a snapshot of the database, visitors' files, and pictures. It gets its name once it is complete,
 * checked, and on disk. Only one runs at a time for each database; a second call waits. Blocks this thread while SQLite
 * copies, so call it in its own process. Throws if `file` exists, the database is missing or not Signpost's, or the
 * copy is damaged.
 */
export async function makeBackup(
  source: BackupSource,
  target: { file: string; now: Date },
): Promise<BackupReport> {
  const { databasePath } = source
  if (!statSync(databasePath, { throwIfNoEntry: false })?.isFile())
    throw new Failure(backupTexts, 'noDatabase', databasePath)
  return withFileLock(`${databasePath}.backup`, () => makeAlone(source, target))
}

async function makeAlone(
  source: BackupSource,
  { file, now }: { file: string; now: Date },
): Promise<BackupReport> {
  if (existsSync(file)) throw new Failure(backupTexts, 'exists', file)
  makeFolder(dirname(file))
  const unfinished = `${file}.unfinished`
  await removeUnfinished(unfinished)
  try {
    copyDatabase(source.databasePath, unfinished)
    const uploads = await completeCopy(unfinished, source, now)
    await rename(unfinished, file)
    await syncPath(dirname(file))
    return { file, uploads }
  } finally {
    await removeUnfinished(unfinished)
  }
}

async function completeCopy(
  path: string,
  { databasePath, files, pictureFiles, secretKey }: BackupSource,
  now: Date,
): Promise<number> {
  const copy = openBackup(path)
  try {
    const damage = findDamage(copy)
    if (damage) throw new Failure(backupTexts, 'sourceDamaged', damage)
    if (!listRevisions(copy)) throw new Failure(backupTexts, 'notOurDatabase', databasePath)
    const known = { folders: listUploadFolders(copy), pictures: listPictureHashes(copy) }
    const uploads = await addFiles(copy, known, { files, pictureFiles })
    const label = { madeAt: now.toISOString(), digest: digestContents(copy) }
    writeLabel(copy, { ...label, seal: sealLabel(label, secretKey) })
    return uploads
  } finally {
    copy.close()
    await syncPath(path)
  }
}

/**
 * Adds the files of these folders and these pictures to a copy, and returns the number of visitors' files. A submission
 * is stored after its files are on disk, so all files of the copy exist, unless retention has removed some since.
 */
export async function addFiles(
  copy: BackupFile,
  { folders, pictures }: { folders: readonly string[]; pictures: readonly string[] },
  { files, pictureFiles }: Pick<BackupSource, 'files' | 'pictureFiles'>,
): Promise<number> {
  const add = createUploadsTable(copy)
  let count = 0
  for (const folder of folders) {
    for await (const { key } of files.list(`${UPLOADS}/${folder}`)) {
      const file = await files.open(key)
      if (!file) continue
      add({ folder, file: basename(key), bytes: await buffer(file.stream) })
      count += 1
    }
  }
  for (const sha256 of pictures) {
    // A picture from before the picture store is in the database.
    const bytes = await pictureFiles.read(sha256)
    if (bytes) add({ folder: PICTURES_PLACE, file: sha256, bytes })
  }
  return count
}
