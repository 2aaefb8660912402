import type { IncomingMessage } from 'node:http'
import type { App } from '../../app.ts'
import { isStorageFailure } from '../../db/storage-failure.ts'
import { isUpload } from '../../forms/field-types/field-types.ts'
import type { Form } from '../../forms/form.ts'
import { hadFileField } from '../../forms/form-version-store.ts'
import { maxFileBytes } from '../../forms/received-file.ts'
import { logTexts } from '../../messages/server/log.ts'
import type { UnreadableReason } from '../../messages/visitor/posts.ts'
import type { Sender } from '../../submissions/intake/accept-submission.ts'
import { readControls } from '../../submissions/intake/form-controls.ts'
import {
  MAX_MULTIPART_BYTES,
  type ReadMultipart,
  readMultipart,
} from '../../submissions/intake/read-multipart.ts'
import type { SubmissionOutcome } from '../../submissions/submission.ts'
import { createUploadFolder, type UploadFolder } from '../../submissions/uploads/upload-folder.ts'
import { listKnownFolders } from '../../submissions/uploads/upload-store.ts'
import { linger } from '../http/request-body.ts'
import { startUploadDeadline, type UploadDeadline, type UploadLimits } from './upload-deadline.ts'

/** Result of a post before its answer: stored or refused by the desk, or not readable. */
export type PostOutcome =
  | SubmissionOutcome
  | { kind: 'unsupported_type' }
  | { kind: 'unreadable'; reason: UnreadableReason }
  | { kind: 'too_large' }
  | { kind: 'too_many_values' }
  | { kind: 'too_many'; retryAfterSeconds: number; limit: 'uploads' }
  | { kind: 'aborted' }

// As long as nginx.
const LINGER_MS = 30_000

/** Returns true if the post has the content type of forms with files. */
export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')
}

interface MultipartPost {
  slug: string
  sender: Sender
  limits: UploadLimits
}

/** Takes a multipart post of a form: reads it, stores it, and leaves no files if it was not accepted. */
export async function takeMultipartPost(
  app: App,
  request: IncomingMessage,
  post: MultipartPost,
): Promise<PostOutcome> {
  try {
    return await takePost(app, request, post)
  } finally {
    if (!request.complete && !request.destroyed) await lingerBeyondTimeout(request)
  }
}

// The server's own deadline would break the connection before the visitor has read why the upload was refused.
async function lingerBeyondTimeout(request: IncomingMessage) {
  const deadline = startUploadDeadline(request.socket, { totalMs: 2 * LINGER_MS, idleMs: 2 * LINGER_MS })
  await linger(request, LINGER_MS)
  deadline.end()
}

async function takePost(
  app: App,
  request: IncomingMessage,
  { slug, sender, limits }: MultipartPost,
): Promise<PostOutcome> {
  const form = await findOpenForm(app, slug)
  if ('kind' in form) return form
  const room = await takeRoom(app, form, sender, request)
  if (room.kind === 'too_many') return { ...room, limit: 'uploads' }
  const folder = createUploadFolder(app.files)
  let outcome: PostOutcome | undefined
  try {
    const read = await readPost(app, request, { form, room, folder, limits })
    outcome = read.kind === 'body' ? await acceptPost(app, slug, sender, read, folder) : explain(app, read)
    return outcome
  } finally {
    // The daily sweep removes leftovers.
    const cleaning = discardUnlessStored(app, folder, outcome).catch((err) =>
      app.log.error({ err }, logTexts.uploadsNotRemoved),
    )
    // The database or the bucket may be unavailable, and no post should wait for it twice.
    if (outcome?.kind !== 'unavailable') await cleaning
  }
}

async function findOpenForm(app: App, slug: string): Promise<Form | SubmissionOutcome> {
  try {
    const form = await app.desk.findForm(slug)
    if (form?.status === 'active') return form
    return { kind: form?.status === 'archived' ? 'gone' : 'not_found' }
  } catch (error) {
    if (isStorageFailure(error)) return { kind: 'unavailable' }
    throw error
  }
}

// A post without a declared length may have any length.
async function takeRoom(
  { postLimits }: App,
  { id }: Form,
  { address }: Sender,
  { headers }: IncomingMessage,
) {
  if (!postLimits || address === undefined) return { kind: 'taken', settle() {} } as const
  const announced = Number(headers['content-length'] ?? MAX_MULTIPART_BYTES)
  return postLimits.takeUpload(id, address, Math.min(announced, MAX_MULTIPART_BYTES))
}

interface Reading {
  form: Form
  room: { settle(receivedBytes: number): void }
  folder: UploadFolder
  limits: UploadLimits
}

async function readPost(
  app: App,
  request: IncomingMessage,
  { form, room, folder, limits }: Reading,
): Promise<ReadMultipart> {
  let deadline: UploadDeadline | undefined
  let received = 0
  try {
    if (Number(request.headers['content-length'] ?? 0) > MAX_MULTIPART_BYTES) return { kind: 'too_large' }
    if (await takesFiles(app, form)) deadline = startUploadDeadline(request.socket, limits)
    return await readMultipart(request.iterator({ destroyOnReturn: false }), {
      contentType: request.headers['content-type'] ?? '',
      fileLimitOf: (field, texts) => fileLimitOf(app, form, field, readControls(texts).version),
      folder,
      signal: deadline?.signal,
      onBytes(count) {
        received += count
        deadline?.touch()
      },
    })
  } finally {
    deadline?.end()
    room.settle(received)
  }
}

// Forms without file fields have the deadline of every post. A page older than the form may still send a file.
async function takesFiles({ promptDb }: App, { id, fields }: Form): Promise<boolean> {
  return fields.some(isUpload) || hadFileField(promptDb, id)
}

// The questions of the visitor's page count, which may be older than the form.
async function fileLimitOf({ desk }: App, form: Form, fieldName: string, version: number | undefined) {
  const asked = await desk.findAskedForm(form, version)
  const field = [...asked.fields, ...form.fields].find(({ name }) => name === fieldName)
  return field && isUpload(field) ? maxFileBytes(field.validation) : undefined
}

function acceptPost(
  app: App,
  slug: string,
  sender: Sender,
  { body, files }: Extract<ReadMultipart, { kind: 'body' }>,
  folder: UploadFolder,
): Promise<SubmissionOutcome> {
  return app.desk.accept(slug, body, {
    ...sender,
    files: { byField: files, folder: folder.name, keep: folder.keep },
  })
}

function explain(app: App, read: Exclude<ReadMultipart, { kind: 'body' }>): PostOutcome {
  if (read.kind !== 'not_stored') return read
  app.log.error({ err: read.error }, logTexts.uploadNotWritten)
  return { kind: 'unavailable' }
}

async function discardUnlessStored(app: App, folder: UploadFolder, outcome: PostOutcome | undefined) {
  if (outcome?.kind === 'accepted' || (await mayBeStored(app, folder, outcome))) return
  await folder.discard()
}

// A commit with a lost response may have succeeded. Its rows would need their files, and the daily sweep removes files
// without rows.
async function mayBeStored({ promptDb }: App, folder: UploadFolder, outcome: PostOutcome | undefined) {
  if (outcome && outcome.kind !== 'unavailable') return false
  if (outcome?.mayBeStored) return true
  return listKnownFolders(promptDb, [folder.name]).then(
    (known) => known.has(folder.name),
    () => true,
  )
}
