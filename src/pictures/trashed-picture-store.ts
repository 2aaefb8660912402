import type { Selectable } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'

/** The stored rows of a picture. */
export interface PictureRows {
  picture: Selectable<Schema['library_pictures']>
  versions: Selectable<Schema['picture_versions']>[]
}

/** Returns a picture's rows and the rows deleted with it; undefined if there is none. */
export async function readPictureRows(db: Db, name: string): Promise<PictureRows | undefined> {
  const picture = await db
    .selectFrom('library_pictures')
    .selectAll()
    .where('name', '=', name)
    .executeTakeFirst()
  if (!picture) return undefined
  const versions = db.selectFrom('picture_versions').selectAll().where('picture_id', '=', picture.id)
  return { picture, versions: await versions.orderBy('id').execute() }
}

/** Records which files a trashed picture needs, so that no sweep deletes them. */
export async function keepTrashedFiles(db: Db, trashId: number, hashes: ReadonlySet<string>): Promise<void> {
  for (const chunk of chunksOf(hashes))
    await db
      .insertInto('trashed_picture_files')
      .values(chunk.map((sha256) => ({ trash_id: trashId, sha256 })))
      .execute()
}

/** Restores a deleted picture's rows under their IDs. */
export async function putPictureRowsBack(db: Db, { picture, versions }: PictureRows): Promise<void> {
  await db.insertInto('library_pictures').values(picture).execute()
  for (const chunk of chunksOf(versions)) await db.insertInto('picture_versions').values(chunk).execute()
}
