import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { findOutdated, type Outcome, versionOf } from '../lib/outcome.ts'
import { changeContent } from '../versions/content-turn-store.ts'
import type { Saving } from '../versions/version.ts'
import { findVersion } from '../versions/version-store.ts'
import type { Picture } from './picture.ts'
import { type PictureSnapshot, pictureSubject } from './picture-history.ts'
import { findPictureById, type LibraryPicture, savePicture } from './picture-store.ts'
import { trashPicture } from './trash-picture.ts'

/** The details of a picture that people edit. */
export type PictureChange = Pick<Picture, 'alt' | 'focalPoint' | 'crop' | 'tags'>

/** Returns a text that differs whenever the picture or its details differ. */
export function pictureVersion({ sha256, alt, focalPoint, crop, tags }: LibraryPicture): string {
  return versionOf({ sha256, alt, focalPoint, crop, tags })
}

/** Saves a picture's details. `basedOn` is the `pictureVersion` that the person saw. */
export function changePicture(
  db: Kysely<Schema>,
  { id, change, basedOn }: { id: number; change: PictureChange; basedOn?: string | undefined },
  saving: Saving,
): Promise<Outcome<{ name: string }>> {
  return changeContent(db, async (trx) => {
    const picture = await findPictureById(trx, id)
    if (!picture) return { kind: 'not_found' }
    const outdated = findOutdated(pictureVersion(picture), basedOn)
    if (outdated) return outdated
    await savePicture(trx, { ...picture, ...change }, saving)
    return { kind: 'saved', value: { name: picture.name } }
  })
}

/** Restores a version of a picture, with its file and details, as a new version. Its name stays. */
export function restoreVersion(
  db: Kysely<Schema>,
  { id, versionId }: { id: number; versionId: number },
  saving: Saving,
): Promise<Outcome<{ name: string }>> {
  return changeContent(db, async (trx) => {
    const picture = await findPictureById(trx, id)
    const version = await findVersion(trx, pictureSubject(id), versionId)
    if (!picture || !version) return { kind: 'not_found' }
    await savePicture(trx, { ...picture, ...(version.content as PictureSnapshot) }, saving)
    return { kind: 'saved', value: { name: picture.name } }
  })
}

/** Moves an unused picture to the trash. */
export function deletePicture(
  db: Kysely<Schema>,
  id: number,
  { isUsed, ...saving }: Saving & { isUsed: (db: Db, name: string) => Promise<boolean> },
): Promise<Outcome<{ name: string }, never, 'used'>> {
  return changeContent(db, async (trx) => {
    const picture = await findPictureById(trx, id)
    if (!picture) return { kind: 'not_found' }
    if (await isUsed(trx, picture.name)) return { kind: 'refused', code: 'used' }
    await trashPicture(trx, picture.name, saving)
    return { kind: 'saved', value: { name: picture.name } }
  })
}
