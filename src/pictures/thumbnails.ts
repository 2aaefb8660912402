import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../db/schema.ts'
import { makeWhole } from '../lib/files/make-whole.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { PictureFiles } from './picture-files.ts'
import { listHashes } from './picture-store.ts'
import { readPictureBytes } from './sweep-pictures.ts'

/** The widths of pictures in the admin. */
export const THUMBNAIL_WIDTHS = [320, 1280]
const QUALITY = 76

/** Folder of the admin's thumbnails, which can all be made again. */
export function thumbnailsFolder(dataDir: string): string {
  return join(dataDir, 'picture-thumbnails')
}

/** Returns the file of a thumbnail, making it on first use. Undefined if the picture's bytes are missing. */
export async function findThumbnail(
  db: Db,
  { files, folder }: { files: PictureFiles; folder: string },
  { sha256, width }: { sha256: string; width: number },
): Promise<string | undefined> {
  const path = join(folder, `${sha256}-${width}.webp`)
  if (existsSync(path)) return path
  return oneAtATime(async () => {
    if (existsSync(path)) return path
    const bytes = await readPictureBytes(db, files, sha256)
    if (!bytes) return undefined
    const { default: sharp } = await import('sharp')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const small = sharp(bytes).autoOrient().resize({ width, withoutEnlargement: true })
    await makeWhole(path, (unfinished) => small.webp({ quality: QUALITY }).toFile(unfinished))
    return path
  })
}

/** Deletes thumbnails of deleted pictures, and those of previews, which can be made again. */
export async function sweepThumbnails(db: Db, folder: string): Promise<void> {
  const known = new Set(await listHashes(db))
  for (const name of await readdir(folder).catch(() => []))
    if (!known.has(name.slice(0, name.indexOf('-')))) await rm(join(folder, name), { force: true })
}
