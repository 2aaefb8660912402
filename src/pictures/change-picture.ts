import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import { findOutdated, type Outcome, versionOf } from '../lib/outcome.ts'
import type { Saving } from '../versions/version.ts'
import type { Picture } from './picture.ts'
import { findPictureById, type LibraryPicture, listVersions, savePicture } from './picture-store.ts'
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
  { now }: { now: string },
): Promise<Outcome<{ name: string }>> {
  return db.transaction().execute(async (trx) => {
    const picture = await findPictureById(trx, id)
    if (!picture) return { kind: 'not_found' }
    const outdated = findOutdated(pictureVersion(picture), basedOn)
    if (outdated) return outdated
    await savePicture(trx, { ...picture, ...change }, { now })
    return { kind: 'saved', value: { name: picture.name } }
  })
}

/** Restores an earlier version of a picture; the current one becomes a version. */
export function restoreVersion(
  db: Kysely<Schema>,
  { id, versionId }: { id: number; versionId: number },
  { now }: { now: string },
): Promise<Outcome<{ name: string }>> {
  return db.transaction().execute(async (trx) => {
    const picture = await findPictureById(trx, id)
    const version = picture && (await listVersions(trx, id)).find((one) => one.id === versionId)
    if (!picture || !version) return { kind: 'not_found' }
    const { sha256, width, height, size, crop } = version
    await savePicture(trx, { ...picture, sha256, width, height, size, crop }, { now })
    return { kind: 'saved', value: { name: picture.name } }
  })
}

/** Moves an unused picture to the trash. */
export function deletePicture(
  db: Kysely<Schema>,
  id: number,
  { isUsed, ...saving }: Saving & { isUsed: (db: Db, name: string) => Promise<boolean> },
): Promise<Outcome<{ name: string }, never, 'used'>> {
  return db.transaction().execute(async (trx) => {
    const picture = await findPictureById(trx, id)
    if (!picture) return { kind: 'not_found' }
    if (await isUsed(trx, picture.name)) return { kind: 'refused', code: 'used' }
    await trashPicture(trx, picture.name, saving)
    return { kind: 'saved', value: { name: picture.name } }
  })
}
