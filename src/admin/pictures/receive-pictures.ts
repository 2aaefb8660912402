import { writeFile } from 'node:fs/promises'
import type { APIContext } from 'astro'
import { pictureActivity, pictureTexts } from '../../messages/admin/pictures/pictures.ts'
import { describeProblem } from '../../messages/admin/problems.ts'
import { type AddedPicture, addPicture, replacePicture } from '../../pictures/add-picture.ts'
import { MAX_UPLOAD_BYTES } from '../../pictures/prepare-picture.ts'
import type { ReceivedPicture } from '../../server/admin/picture-upload.ts'
import { createUploadFolder } from '../../submissions/uploads/upload-folder.ts'
import { recordChange } from '../audit/record-change.ts'
import { readForm, readFormData } from '../kit/admin-form.ts'
import { appOf } from '../kit/page-context.ts'
import { faultOfAlt, readAlt } from './receive-descriptions.ts'
import { savingPicture } from './saving-picture.ts'

type Context = Pick<APIContext, 'locals' | 'request'>

/** A refused file, with the reason. */
export interface RefusedPicture {
  name: string
  reason: string
}

export interface ReceivedPictures {
  added: AddedPicture[]
  refused: RefusedPicture[]
}

const MAX_MEGABYTES = MAX_UPLOAD_BYTES / 1024 / 1024

/**
 * Adds the files of this post to the library, one after another. With a single file, its description may be part of
 * the post; if `needsAlt`, it must be.
 */
export async function receivePictures(
  context: Context,
  { needsAlt }: { needsAlt: boolean },
): Promise<ReceivedPictures> {
  const received: ReceivedPictures = { added: [], refused: [] }
  const alt = readAlt(await readForm(context.request))
  await withReceived(context, async (files) => {
    const own = files.length === 1 ? alt : undefined
    for (const file of files) {
      const outcome = await addReceived(context, file, { alt: own, needsAlt })
      if ('reason' in outcome) received.refused.push(outcome)
      else received.added.push(outcome)
    }
  })
  return received
}

async function addReceived(
  context: Context,
  { path, name, size }: ReceivedPicture,
  { alt, needsAlt }: { alt: string | undefined; needsAlt: boolean },
): Promise<AddedPicture | RefusedPicture> {
  const { db, pictureFiles } = appOf(context)
  if (path === undefined) return { name, reason: reasonOfSize(size) }
  const fault = alt === undefined && !needsAlt ? undefined : faultOfAlt(alt)
  if (fault) return { name, reason: describeProblem({ path: ['alt'], ...fault }) }
  const outcome = await addPicture(db, pictureFiles, { path, name, alt }, savingPicture(context))
  if (outcome.kind === 'invalid') return { name, reason: outcome.problems.map(describeProblem).join(' ') }
  if (outcome.kind !== 'saved') throw new Error(`A new picture cannot be ${outcome.kind}`)
  const { id, name: stored, isKnown } = outcome.value
  const summary = pictureActivity.added(stored)
  if (!isKnown) await recordChange(context, { action: 'picture.added', id, summary })
  return outcome.value
}

/** Replaces a picture with the file of this post; returns undefined on success, else the reason. */
export function receiveReplacement(context: Context, id: number): Promise<string | undefined> {
  const { db, pictureFiles } = appOf(context)
  return withReceived(context, async ([file]) => {
    if (!file) return pictureTexts.noFile
    if (file.path === undefined) return reasonOfSize(file.size)
    const outcome = await replacePicture(db, pictureFiles, { id, path: file.path }, savingPicture(context))
    return outcome.kind === 'invalid' ? outcome.problems.map(describeProblem).join(' ') : undefined
  })
}

function reasonOfSize(size: number): string {
  const path = ['file']
  if (size === 0) return describeProblem({ path, code: 'upload_empty' })
  return describeProblem({ path, code: 'upload_too_large', params: { megabytes: MAX_MEGABYTES } })
}

/** Runs work with the files of this post, which are deleted afterwards. */
async function withReceived<Result>(
  context: Context,
  use: (files: readonly ReceivedPicture[]) => Promise<Result>,
): Promise<Result> {
  const { receivedPictures } = context.locals
  if (receivedPictures) return use(receivedPictures)
  // In development, Astro reads posts itself; a post that isn't multipart has no files.
  const folder = createUploadFolder(appOf(context).files)
  try {
    const posted = await readFormData(context.request)
    const files: ReceivedPicture[] = []
    for (const value of posted.values()) {
      if (typeof value === 'string' || value.size === 0) continue
      const { path, handle } = await folder.create()
      await handle.close()
      await writeFile(path, value.stream())
      files.push({ path, name: value.name, size: value.size })
    }
    return await use(files)
  } finally {
    await folder.discard()
  }
}
