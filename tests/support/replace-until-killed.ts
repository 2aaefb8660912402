import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { connectSqlite } from '#src/db/connect.ts'
import { addPicture, replacePicture } from '#src/pictures/add-picture.ts'
import { restoreVersion } from '#src/pictures/change-picture.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { pictureSubject } from '#src/pictures/picture-history.ts'
import { findPictureById } from '#src/pictures/picture-store.ts'
import { restoreTrashedPicture, trashPicture } from '#src/pictures/trash-picture.ts'
import { listTrash } from '#src/versions/trash-store.ts'
import { listVersions } from '#src/versions/version-store.ts'
import type { PictureLibrary } from './admin-library.ts'

/** The bytes that a picture was reported to have. */
export interface StoredPicture {
  id: number
  sha256: string
}

const SIDE = 24
const MOST_REPLACED = 4

// Uploads, replaces, restores, and deletes pictures, reporting each stored one, until it is killed.
const [path = '', dataDir = '', folder = '', way] = process.argv.slice(2)
const db = connectSqlite(path)
const library = way === 'http' ? await openHttp() : directly()

for (;;) {
  const upload = await aFile()
  const id = await library.add(upload)
  await report(id)
  for (let count = Math.random() * MOST_REPLACED; count > 0; count--) {
    await library.replace(id, await aFile())
    await report(id)
  }
  const [, version] = await listVersions(db, pictureSubject(id), { limit: 2 })
  if (version) {
    await library.restore(id, version.id)
    await report(id)
  }
  await throughTrash(id)
}

// The server takes longer to load than the rest of this file.
async function openHttp(): Promise<PictureLibrary> {
  return (await import('./admin-library.ts')).openAdminLibrary(dataDir)
}

function directly(): PictureLibrary {
  const files = openPictureFiles(dataDir)
  return {
    async add(from) {
      const added = await addPicture(db, files, { path: from, name: 'van.png' }, clock())
      assert.equal(added.kind, 'saved')
      return added.value.id
    },
    async replace(id, from) {
      assert.equal((await replacePicture(db, files, { id, path: from }, clock())).kind, 'saved')
    },
    async restore(id, versionId) {
      assert.equal((await restoreVersion(db, { id, versionId }, clock())).kind, 'saved')
    },
  }
}

// Some stay in the trash: what they were is stored there.
async function throughTrash(id: number) {
  const { name = '' } = (await findPictureById(db, id)) ?? {}
  if (Math.random() < 0.3) return
  await db.transaction().execute((trx) => trashPicture(trx, name, clock()))
  const [trashed] = await listTrash(db, { limit: 1 })
  if (trashed && Math.random() < 0.6) await restoreTrashedPicture(db, trashed.id)
}

function clock() {
  return { now: new Date().toISOString() }
}

async function aFile(): Promise<string> {
  const raw = { width: SIDE, height: SIDE, channels: 3 } as const
  const file = join(folder, 'upload.png')
  writeFileSync(
    file,
    await sharp(randomBytes(SIDE * SIDE * 3), { raw })
      .png()
      .toBuffer(),
  )
  return file
}

async function report(id: number) {
  const picture = await findPictureById(db, id)
  process.send?.({ id, sha256: picture?.sha256 ?? '' } satisfies StoredPicture)
}
