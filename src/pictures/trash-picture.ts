import type { Kysely } from 'kysely'
import type { Db, Schema } from '../db/schema.ts'
import type { Outcome } from '../lib/outcome.ts'
import { deleteTrashed, findTrashed, insertTrashed } from '../versions/trash-store.ts'
import type { Saving } from '../versions/version.ts'
import { listNamesLike } from './library-store.ts'
import { stemOfName } from './picture.ts'
import { deletePictures } from './picture-store.ts'
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
  const described = { typeSlug: picture.sha256, name, parts: versions.length }
  const trashId = await insertTrashed(
    db,
    { kind: 'picture', id: picture.id },
    { ...described, content },
    saving,
  )
  await keepTrashedFiles(db, trashId, new Set([picture, ...versions].map(({ sha256 }) => sha256)))
  await deletePictures(db, [name])
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
  return db.transaction().execute(async (trx) => {
    const found = await findTrashed(trx, trashId)
    if (found?.trashed.subject.kind !== 'picture') return { kind: 'not_found' }
    const rows = found.content as PictureRows
    const { id, name } = rows.picture
    const by = await findNameOfStem(trx, stemOfName(name).toLowerCase())
    if (by !== undefined)
      return { kind: 'invalid', problems: [{ path: [], code: 'picture_name_taken', params: { by } }] }
    await putPictureRowsBack(trx, rows)
    await deleteTrashed(trx, trashId)
    return { kind: 'saved', value: { id, name } }
  })
}

// Both would have the same details file: `van.jpg` and `van.png` have `van.yaml`.
async function findNameOfStem(db: Db, stem: string): Promise<string | undefined> {
  return (await listNamesLike(db, stem)).find((name) => stemOfName(name).toLowerCase() === stem)
}
