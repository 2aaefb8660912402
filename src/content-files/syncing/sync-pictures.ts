import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/schema.ts'
import { sha256Hex } from '../../lib/canonical-json.ts'
import { Failure } from '../../lib/messages.ts'
import { problemTexts } from '../../messages/command-line/problems.ts'
import { deletePictures, listPictures, savePicture } from '../../site/pictures/picture-store.ts'
import { PICTURES } from '../parsing/content-folder.ts'
import type { PictureFile, ReadPictures } from '../parsing/read-pictures.ts'

/** Makes the pictures of the database those of the folder: there is no other way to hand one in. Whether one changed. */
export async function syncPictures(
  db: Db,
  { pictures, names }: ReadPictures,
  { now }: { now: string },
): Promise<boolean> {
  const stored = await listPictures(db)
  const changed = pictures.filter(({ name, sha256 }) => stored.get(name)?.sha256 !== sha256)
  for (const { path, ...picture } of changed)
    await savePicture(db, { ...picture, bytes: await readAgain({ path, ...picture }) }, { now })
  const removed = [...stored.keys()].filter((name) => !names.has(name))
  await deletePictures(db, removed)
  return changed.length + removed.length > 0
}

// One picture is in memory at a time: a folder may hold thousands.
async function readAgain({ path, name, sha256 }: PictureFile): Promise<Buffer> {
  const bytes = await readFile(path)
  if (sha256Hex(bytes) === sha256) return bytes
  throw new Failure(problemTexts, 'pictureChanged', join(PICTURES, name))
}
