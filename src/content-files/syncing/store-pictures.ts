import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'
import { chunksOf } from '../../lib/in-parts.ts'
import { Failure } from '../../lib/messages.ts'
import { problemTexts } from '../../messages/command-line/problems.ts'
import type { PictureFiles } from '../../pictures/picture-files.ts'
import { listKnownHashes } from '../../pictures/picture-store.ts'
import { PICTURES } from '../parsing/content-folder.ts'
import type { ParsedFile } from '../parsing/parsed-file.ts'

/**
 * Copies a folder's pictures into the picture store, so that they are on disk before a row refers to them. Files
 * that end up without a row are swept.
 */
export async function storePictures(
  { files, paths }: { files: readonly ParsedFile[]; paths: ReadonlyMap<string, string> },
  { pictureFiles }: { pictureFiles: PictureFiles },
): Promise<void> {
  for (const { document } of files) {
    if (document?.kind !== 'picture' || (await pictureFiles.has(document.bytes.sha256))) continue
    const { name, bytes } = document
    // One picture at a time in memory, because a folder may contain thousands.
    const read = await readFile(paths.get(name) ?? '')
    if (sha256Hex(read) !== bytes.sha256)
      throw new Failure(problemTexts, 'pictureChanged', join(PICTURES, name))
    await pictureFiles.write(bytes.sha256, read)
  }
}

/** Returns the pictures whose bytes no row refers to yet. */
export async function listOrphans(db: Db, files: readonly ParsedFile[]): Promise<ParsedFile[]> {
  const hashes = files.flatMap(({ document }) =>
    document?.kind === 'picture' ? [document.bytes.sha256] : [],
  )
  const known = new Set<string>()
  for (const part of chunksOf(hashes)) for (const hash of await listKnownHashes(db, part)) known.add(hash)
  return files.filter(({ document }) => document?.kind === 'picture' && !known.has(document.bytes.sha256))
}
