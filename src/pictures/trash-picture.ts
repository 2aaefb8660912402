import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import type { Outcome } from '../lib/outcome.ts'
import { changeContent } from '../versions/content-turn-store.ts'
import { writeContent } from '../versions/packed-content.ts'
import { deleteTrashed, findTrashed, insertTrashed } from '../versions/trash-store.ts'
import type { Saving } from '../versions/version.ts'
import { countVersions, findNewestSaved } from '../versions/version-store.ts'
import { listNamesLike } from './library-store.ts'
import { stemOfName } from './picture.ts'
import { pictureSubject, toPictureSnapshot } from './picture-history.ts'
import { deletePictures, type LibraryPicture, toLibraryPicture } from './picture-store.ts'
import {
  keepTrashedFiles,
  type PictureRows,
  putPictureRowsBack,
  readPictureRows,
} from './trashed-picture-store.ts'

/**
 * Moves a picture to the trash with its earlier versions; does nothing if it doesn't exist. Its files stay in the
 * picture store until it leaves the trash. Call it inside a transaction.
 */
export async function trashPicture(db: Db, name: string, saving: Saving): Promise<void> {
  const content = await readPictureRows(db, name)
  if (!content) return
  const { picture, versions } = content
  const parts = await countEarlierVersions(db, toLibraryPicture(picture))
  const described = { typeSlug: picture.sha256, name, parts }
  const trashId = await insertTrashed(
    db,
    { kind: 'picture', id: picture.id },
    { ...described, content },
    saving,
  )
  await keepTrashedFiles(db, trashId, new Set([picture, ...versions].map(({ sha256 }) => sha256)))
  await deletePictures(db, [name])
}

async function countEarlierVersions(db: Db, picture: LibraryPicture): Promise<number> {
  const subject = pictureSubject(picture.id)
  const newest = await findNewestSaved(db, subject)
  const isCurrent = newest?.contentSha256 === writeContent(toPictureSnapshot(picture)).contentSha256
  return (await countVersions(db, subject)) - (isCurrent ? 1 : 0)
}

export interface RestoredPicture {
  id: number
  name: string
}

type RestoreProblem = { path: []; code: 'picture_name_taken'; params: { by: string } }

/**
 * Restores a picture from the trash under its ID, with its earlier versions. Refused if another picture has its name
 * now, with any extension.
 */
export function restoreTrashedPicture(
  db: Kysely<Schema>,
  trashId: number,
): Promise<Outcome<RestoredPicture, RestoreProblem>> {
  return changeContent(db, async (trx) => {
    const found = await findTrashed(trx, trashId)
    if (found?.trashed.subject.kind !== 'picture') return { kind: 'not_found' }
    const rows = found.content as PictureRows
    const { id, name } = rows.picture
    const by = await findNameOfStem(trx, stemOfName(name))
    if (by !== undefined)
      return { kind: 'invalid', problems: [{ path: [], code: 'picture_name_taken', params: { by } }] }
    await putPictureRowsBack(trx, rows)
    await deleteTrashed(trx, trashId)
    return { kind: 'saved', value: { id, name } }
  })
}

// Both would have the same details file: `van.jpg` and `van.png` have `van.yaml`.
async function findNameOfStem(db: Db, stem: string): Promise<string | undefined> {
  return (await listNamesLike(db, stem)).find((name) => stemOfName(name).toLowerCase() === stem.toLowerCase())
}
