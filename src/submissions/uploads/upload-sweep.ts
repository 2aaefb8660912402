import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { TEMPORARY_FOLDER } from './upload-folder.ts'
import { listKnownFolders, listUploadFolders } from './upload-store.ts'

const ORPHAN_AGE_MS = 24 * 60 * 60 * 1_000
const BATCH = 500
const FOLDER_NAME = /^[0-9a-f]{32}$/

/**
 * Removes what a crash left behind: posts that never ended and files whose submission was not stored, both older than
 * 24 hours. Gives the number of folders removed.
 */
export async function sweepUploads(
  db: Db,
  { uploadsDir, now }: { uploadsDir: string; now: Date },
): Promise<number> {
  const before = now.getTime() - ORPHAN_AGE_MS
  const temporary = await listOldFolders(join(uploadsDir, TEMPORARY_FOLDER), before)
  const kept = await listOldFolders(uploadsDir, before)
  const orphans = [...temporary]
  for (let start = 0; start < kept.length; start += BATCH) {
    const batch = kept.slice(start, start + BATCH)
    const known = await listKnownFolders(
      db,
      batch.map(({ name }) => name),
    )
    orphans.push(...batch.filter(({ name }) => !known.has(name)))
  }
  for (const { path } of orphans) await rm(path, { recursive: true, force: true })
  return orphans.length
}

/**
 * Removes the files of submissions that are about to be deleted; the rows go with their submissions. A crash in between
 * is made good by doing it again. For more than 500 submissions call it several times.
 */
export async function removeUploadFiles(
  db: Db,
  submissionIds: readonly number[],
  { uploadsDir }: { uploadsDir: string },
): Promise<void> {
  for (const folder of await listUploadFolders(db, submissionIds)) {
    if (FOLDER_NAME.test(folder)) await rm(join(uploadsDir, folder), { recursive: true, force: true })
  }
}

async function listOldFolders(parent: string, before: number) {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const names = (await readdir(parent)).filter((name) => FOLDER_NAME.test(name))
  const old: { name: string; path: string }[] = []
  for (const name of names) {
    const path = join(parent, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < before) old.push({ name, path })
  }
  return old
}
