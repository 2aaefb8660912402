import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import type { FileStore } from '../../files/file-store.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { temporaryUploads, UPLOADS } from './upload-folder.ts'
import { listKnownFolders, listUploadFolders } from './upload-store.ts'

const ORPHAN_AGE_MS = 24 * 60 * 60 * 1_000
const BATCH = 500
const FOLDER_NAME = /^[0-9a-f]{32}$/

/**
 * Deletes leftovers of crashes that are older than 24 hours: posts that never finished, and files whose submission
 * was not stored. Returns the number of folders deleted.
 */
export async function sweepUploads(db: Db, { files, now }: { files: FileStore; now: Date }): Promise<number> {
  const before = now.getTime() - ORPHAN_AGE_MS
  const temporary = await listOldFolders(temporaryUploads(files), before)
  for (const path of temporary) await rm(path, { recursive: true, force: true })
  let removed = temporary.length
  for (const batch of chunksOf(await listOldUploads(files, before), BATCH)) {
    const known = await listKnownFolders(db, batch)
    const orphans = batch.filter((name) => !known.has(name))
    for (const name of orphans) await files.remove(`${UPLOADS}/${name}`)
    removed += orphans.length
  }
  return removed
}

/**
 * Deletes the files of submissions that are about to be deleted; their rows are deleted with the submissions. After a
 * crash, run it again. Takes at most 500 submissions per call.
 */
export async function removeUploadFiles(
  db: Db,
  submissionIds: readonly number[],
  { files }: { files: FileStore },
): Promise<void> {
  for (const folder of await listUploadFolders(db, submissionIds)) {
    if (FOLDER_NAME.test(folder)) await files.remove(`${UPLOADS}/${folder}`)
  }
}

// A folder is as old as its newest file.
async function listOldUploads(files: FileStore, before: number): Promise<string[]> {
  const writtenAt = new Map<string, number>()
  for await (const file of files.list(UPLOADS)) {
    const name = file.key.split('/')[1] ?? ''
    if (FOLDER_NAME.test(name))
      writtenAt.set(name, Math.max(writtenAt.get(name) ?? 0, file.writtenAt.getTime()))
  }
  return [...writtenAt].filter(([, at]) => at < before).map(([name]) => name)
}

async function listOldFolders(parent: string, before: number): Promise<string[]> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const old: string[] = []
  for (const name of (await readdir(parent)).filter((one) => FOLDER_NAME.test(one))) {
    const path = join(parent, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtimeMs < before) old.push(path)
  }
  return old
}
