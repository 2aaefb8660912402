import type { Db } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import type { PictureFiles } from './picture-files.ts'
import { findLegacyBytes, listHashes, listKnownHashes } from './picture-store.ts'

const ORPHAN_AGE_MS = 24 * 60 * 60 * 1_000
const BATCH = 200

/**
 * Brings the picture store in line with the library: moves bytes that are still in the database, and deletes files
 * that no picture or version has, once they are 24 hours old. Returns the number of files deleted.
 */
export async function sweepPictures(
  db: Db,
  { files, now }: { files: PictureFiles; now: Date },
): Promise<number> {
  await takeOverLegacy(db, files)
  const before = now.getTime() - ORPHAN_AGE_MS
  const old = (await files.list()).filter(({ writtenAt }) => writtenAt.getTime() < before)
  let removed = 0
  for (const batch of chunksOf(old, BATCH)) {
    const known = await listKnownHashes(
      db,
      batch.map(({ file }) => file),
    )
    for (const { file } of batch.filter((one) => !known.has(one.file)))
      if (await removeOrphan(db, files, file)) removed += 1
  }
  return removed
}

// Meanwhile a picture may have got these bytes. One that gets them later finds them missing: see `keepBytes`. A bucket
// may be slow, so no transaction waits for it.
async function removeOrphan(db: Db, files: PictureFiles, file: string): Promise<boolean> {
  // An unfinished file is called by more than a hash.
  const bytes = file.includes('.') ? undefined : await files.read(file)
  await files.remove(file)
  if (!bytes || (await listKnownHashes(db, [file])).size === 0) return true
  await files.write(file, bytes)
  return false
}

/** Returns the hashes of pictures or versions whose bytes are missing everywhere. */
export async function findMissingFiles(db: Db, files: PictureFiles): Promise<string[]> {
  const missing: string[] = []
  for (const sha256 of await listHashes(db))
    if (!(await files.has(sha256)) && !(await findLegacyBytes(db, sha256))) missing.push(sha256)
  return missing
}

/** Returns the bytes of a picture; undefined if they are missing everywhere. */
export async function readPictureBytes(
  db: Db,
  files: PictureFiles,
  sha256: string,
): Promise<Buffer | undefined> {
  return (await files.read(sha256)) ?? (await findLegacyBytes(db, sha256))
}

async function takeOverLegacy(db: Db, files: PictureFiles) {
  for (const sha256 of await listHashes(db)) {
    const bytes = (await files.has(sha256)) ? undefined : await findLegacyBytes(db, sha256)
    if (bytes) await files.write(sha256, bytes)
  }
}
