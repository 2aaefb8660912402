import type { Db } from '../db/schema.ts'
import { deletePictures, listPictures, savePicture } from '../site/pictures/picture-store.ts'
import type { ReadPictures } from './read-pictures.ts'

/** Makes the pictures of the database those of the folder: there is no other way to hand one in. */
export async function syncPictures(
  db: Db,
  { pictures, names }: ReadPictures,
  { now }: { now: string },
): Promise<void> {
  const stored = await listPictures(db)
  for (const picture of pictures) {
    if (stored.get(picture.name)?.sha256 !== picture.sha256) await savePicture(db, picture, { now })
  }
  await deletePictures(
    db,
    [...stored.keys()].filter((name) => !names.has(name)),
  )
}
