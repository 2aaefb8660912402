import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../../lib/canonical-json.ts'
import { Failure } from '../../lib/messages.ts'
import { problemTexts } from '../../messages/command-line/problems.ts'
import type { PictureFiles } from '../../pictures/picture-files.ts'
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
