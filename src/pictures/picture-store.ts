import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Schema } from '../db/schema.ts'
import { chunksOf } from '../lib/in-parts.ts'
import { jsonColumn } from '../lib/json-column.ts'
import { keepVersion } from '../versions/keep-version.ts'
import type { Saving } from '../versions/version.ts'
import { crop, focalPoint, type Picture, type PictureBytes, pictureTags } from './picture.ts'
import { pictureSubject, toPictureSnapshot } from './picture-history.ts'

/** A picture with its row. */
export interface LibraryPicture extends Picture {
  id: number
  createdAt: string
  updatedAt: string
}

/** A picture to store. Missing parts are empty. */
export type NewPicture = PictureBytes & { name: string } & Partial<Omit<Picture, 'name' | keyof PictureBytes>>

const focalColumn = jsonColumn(focalPoint)
const cropColumn = jsonColumn(crop)
const tagsColumn = jsonColumn(pictureTags)
const anyTags = jsonColumn(z.array(z.string()))

/** Returns every picture by name. */
export async function listPictures(db: Db): Promise<Map<string, Picture>> {
  const rows = await db.selectFrom('library_pictures').selectAll().orderBy('name').execute()
  return new Map(rows.map((row) => [row.name, toPicture(row)]))
}

async function findPicture(db: Db, name: string): Promise<LibraryPicture | undefined> {
  const row = await db.selectFrom('library_pictures').selectAll().where('name', '=', name).executeTakeFirst()
  return row && toLibraryPicture(row)
}

export async function findPictureById(db: Db, id: number): Promise<LibraryPicture | undefined> {
  const row = await db.selectFrom('library_pictures').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toLibraryPicture(row)
}

/** Returns the pictures whose bytes, or replaced bytes, have a hash with this prefix. */
export async function findByHash(db: Db, start: string): Promise<LibraryPicture[]> {
  const rows = await db
    .selectFrom('library_pictures')
    .selectAll()
    .where('sha256', '>=', start)
    .where('sha256', '<', `${start}g`)
    .execute()
  return rows.map(toLibraryPicture)
}

/** Lists the names of all pictures. */
export async function listPictureNames(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('library_pictures').select('name').orderBy('name').execute()
  return new Set(rows.map(({ name }) => name))
}

/** Returns true if a picture with this name exists. */
export async function hasPicture(db: Db, name: string): Promise<boolean> {
  const row = await db.selectFrom('library_pictures').select('id').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

/** Returns the pictures with these names, by name. */
export async function listPicturesByName(
  db: Db,
  names: readonly string[],
): Promise<Map<string, LibraryPicture>> {
  const found = new Map<string, LibraryPicture>()
  for (const part of chunksOf(names)) {
    const rows = await db.selectFrom('library_pictures').selectAll().where('name', 'in', part).execute()
    for (const row of rows) found.set(row.name, toLibraryPicture(row))
  }
  return found
}

/** Returns those of these names that no picture has. */
export async function findMissingNames(db: Db, names: Iterable<string>): Promise<Set<string>> {
  const missing = new Set(names)
  for (const part of chunksOf([...missing])) {
    const rows = await db.selectFrom('library_pictures').select('name').where('name', 'in', part).execute()
    for (const { name } of rows) missing.delete(name)
  }
  return missing
}

/** Stores a picture under its name and keeps it as a version. Call it in the transaction of the save. */
export async function savePicture(db: Db, picture: NewPicture, saving: Saving): Promise<{ id: number }> {
  const existing = await findPicture(db, picture.name)
  if (existing && existing.sha256 !== picture.sha256) await keepFile(db, existing, saving)
  const { id } = await writeRow(db, existing, picture, saving)
  const { alt = null, focalPoint = null, crop = null, tags = [] } = picture
  const before = existing && { content: toPictureSnapshot(existing), savedAt: existing.updatedAt }
  const after = toPictureSnapshot({ ...picture, alt, focalPoint, crop, tags })
  await keepVersion(db, pictureSubject(id), { before, after }, saving)
  return { id }
}

async function writeRow(
  db: Db,
  existing: LibraryPicture | undefined,
  picture: NewPicture,
  { now }: Saving,
): Promise<{ id: number }> {
  const values = { ...toColumns(picture), updated_at: now }
  if (existing) {
    await db.updateTable('library_pictures').set(values).where('id', '=', existing.id).execute()
    return existing
  }
  const row = { name: picture.name, ...values, created_at: now }
  return db.insertInto('library_pictures').values(row).returning('id').executeTakeFirstOrThrow()
}

// Sweeps and backups find the files of versions by these rows.
async function keepFile(db: Db, { id, sha256, width, height, size }: LibraryPicture, { now }: Saving) {
  const row = { picture_id: id, sha256, width, height, size, replaced_at: now }
  await db.insertInto('picture_versions').values(row).execute()
}

export async function deletePictures(db: Db, names: readonly string[]): Promise<void> {
  if (names.length > 0) await db.deleteFrom('library_pictures').where('name', 'in', names).execute()
}

/** Returns those of these hashes that a picture or one of its versions has, including the trash. */
export async function listKnownHashes(db: Db, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const found = await Promise.all(
    (['library_pictures', 'picture_versions', 'trashed_picture_files'] as const).map((table) =>
      db.selectFrom(table).select('sha256').where('sha256', 'in', hashes).execute(),
    ),
  )
  return new Set(found.flat().map(({ sha256 }) => sha256))
}

/** Returns the hashes of all bytes that pictures or their versions have, including the trash. */
export async function listHashes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`select sha256 from library_pictures
    union select sha256 from picture_versions union select sha256 from trashed_picture_files order by 1`.execute(
    db,
  )
  return rows.map(({ sha256 }) => sha256)
}

/** Returns the bytes of a picture from before there was a picture store. */
export async function findLegacyBytes(db: Db, sha256: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('pictures').select('bytes').where('sha256', '=', sha256).executeTakeFirst()
  return row && row.bytes.length > 0 ? Buffer.from(row.bytes) : undefined
}

function toColumns({ sha256, width, height, size, alt, focalPoint, crop, tags }: NewPicture) {
  return {
    sha256,
    width,
    height,
    size,
    alt: alt ?? null,
    focal_json: focalPoint ? focalColumn.encode(focalPoint) : null,
    crop_json: crop ? cropColumn.encode(crop) : null,
    tags_json: tagsColumn.encode(tags ?? []),
  }
}

type Row = Selectable<Schema['library_pictures']>

function toPicture({
  name,
  sha256,
  width,
  height,
  size,
  alt,
  focal_json,
  crop_json,
  tags_json,
}: Row): Picture {
  return {
    name,
    sha256,
    width,
    height,
    size,
    alt,
    focalPoint: focal_json === null ? null : focalColumn.decode(focal_json),
    crop: crop_json === null ? null : cropColumn.decode(crop_json),
    tags: tags_json === '[]' ? [] : anyTags.decode(tags_json),
  }
}

/** Converts a row to a picture. */
export function toLibraryPicture(row: Row): LibraryPicture {
  return { ...toPicture(row), id: row.id, createdAt: row.created_at, updatedAt: row.updated_at }
}
