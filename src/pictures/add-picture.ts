import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Outcome } from '../lib/outcome.ts'
import { slugOf } from '../lib/slug.ts'
import { changeContent } from '../versions/content-turn-store.ts'
import type { Saving } from '../versions/version.ts'
import { findIdByHash, listNamesLike } from './library-store.ts'
import { stemOfName } from './picture.ts'
import type { PictureFiles } from './picture-files.ts'
import { findPictureById, savePicture } from './picture-store.ts'
import { type PictureFault, preparePicture } from './prepare-picture.ts'

const FALLBACK = 'picture'
const MAX_STEM_LENGTH = 60

interface Upload {
  /** Path of the file, which stays there. */
  path: string
  /** The person's name for it. */
  name: string
  /** Its description, empty for a decorative one; a picture that has one keeps it. */
  alt?: string | undefined
}

export interface AddedPicture {
  id: number
  name: string
  /** True if the library already had the same picture. */
  isKnown: boolean
}

export type PictureProblem = { path: readonly PropertyKey[] } & PictureFault

/** Adds a file to the library under its own name. Its bytes are on disk before its row exists. */
export async function addPicture(
  db: Kysely<Schema>,
  files: PictureFiles,
  { path, name, alt }: Upload,
  saving: Saving,
): Promise<Outcome<AddedPicture, PictureProblem>> {
  const prepared = await preparePicture(path)
  if (prepared.kind === 'refused')
    return { kind: 'invalid', problems: [{ path: ['files'], ...prepared.fault }] }
  const { bytes, ending, ...picture } = prepared.picture
  await files.write(picture.sha256, bytes)
  const value = await changeContent(db, async (trx) => {
    const known = await findIdByHash(trx, picture.sha256)
    const existing = known === undefined ? undefined : await findPictureById(trx, known)
    if (existing) {
      if (alt !== undefined && existing.alt === null) await savePicture(trx, { ...existing, alt }, saving)
      return { id: existing.id, name: existing.name, isKnown: true }
    }
    const stem = slugOf(stemOfName(name)).slice(0, MAX_STEM_LENGTH).replace(/-$/, '') || FALLBACK
    const free = freeName(stem, ending, await listNamesLike(trx, stem))
    const { id } = await savePicture(
      trx,
      { ...picture, name: free, ...(alt !== undefined && { alt }) },
      saving,
    )
    return { id, name: free, isKnown: false }
  })
  await keepBytes(files, picture.sha256, bytes)
  return { kind: 'saved', value }
}

// A sweep may have deleted an orphan with the same bytes before the row referred to it.
async function keepBytes(files: PictureFiles, sha256: string, bytes: Uint8Array) {
  if (!(await files.has(sha256))) await files.write(sha256, bytes)
}

// The details of `van.jpg` and `van.png` would be in the same file, `van.yaml`.
function freeName(stem: string, ending: string, names: readonly string[]): string {
  const taken = new Set(names.map((name) => stemOfName(name).toLowerCase()))
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? stem : `${stem}-${count}`
    if (!taken.has(candidate)) return `${candidate}.${ending}`
  }
}

/** Replaces a picture's bytes. The previous ones become an earlier version; its name and all references stay. */
export async function replacePicture(
  db: Kysely<Schema>,
  files: PictureFiles,
  { id, path }: { id: number; path: string },
  saving: Saving,
): Promise<Outcome<{ name: string }, PictureProblem>> {
  const prepared = await preparePicture(path)
  if (prepared.kind === 'refused')
    return { kind: 'invalid', problems: [{ path: ['file'], ...prepared.fault }] }
  const { bytes, ending: _, ...picture } = prepared.picture
  await files.write(picture.sha256, bytes)
  const name = await changeContent(db, async (trx) => {
    const existing = await findPictureById(trx, id)
    if (!existing) return undefined
    const isSameShape = picture.width * existing.height === picture.height * existing.width
    const kept = isSameShape ? {} : { crop: null, focalPoint: null }
    await savePicture(trx, { ...existing, ...picture, ...kept }, saving)
    return existing.name
  })
  if (name === undefined) return { kind: 'not_found' }
  await keepBytes(files, picture.sha256, bytes)
  return { kind: 'saved', value: { name } }
}
