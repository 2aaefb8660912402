import type { IncomingMessage } from 'node:http'
import type { App } from '../app.ts'
import type { Form } from '../forms/form.ts'
import { maxFileBytes } from '../forms/received-file.ts'
import type { Sender } from '../submissions/accept-submission.ts'
import { MAX_MULTIPART_BYTES, type ReadMultipart, readMultipart } from '../submissions/read-multipart.ts'
import { isStorageFailure } from '../submissions/storage-failure.ts'
import type { SubmissionOutcome } from '../submissions/submission.ts'
import { createUploadFolder, type UploadFolder } from '../submissions/upload-folder.ts'
import { listKnownFolders } from '../submissions/upload-store.ts'
import { startUploadDeadline, type UploadLimits } from './upload-deadline.ts'

// A browser reads the answer to a refused upload only when most of the upload was taken from it.
const LINGER_MS = 5_000

/** What became of a post before an answer to it: stored or refused by the desk, or never understood. */
export type PostOutcome =
  | SubmissionOutcome
  | { kind: 'unsupported_type' }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'too_large' }
  | { kind: 'aborted' }

/** Whether the post has the content type of forms with files. */
export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers['content-type'] ?? '')
}

interface MultipartPost {
  slug: string
  sender: Sender
  limits: UploadLimits
}

/** Takes a multipart post of a form: reads it, has it stored, and leaves no file of one that was not accepted. */
export async function takeMultipartPost(
  app: App,
  request: IncomingMessage,
  post: MultipartPost,
): Promise<PostOutcome> {
  try {
    return await takePost(app, request, post)
  } finally {
    if (!request.complete && !request.destroyed) await linger(request)
  }
}

async function takePost(
  app: App,
  request: IncomingMessage,
  { slug, sender, limits }: MultipartPost,
): Promise<PostOutcome> {
  const form = await findOpenForm(app, slug)
  if ('kind' in form) return form
  const folder = createUploadFolder(app.uploadsDir)
  let outcome: PostOutcome | undefined
  try {
    const read = await readPost(request, form, folder, limits)
    outcome = read.kind === 'body' ? await acceptPost(app, slug, sender, read, folder) : explain(app, read)
    return outcome
  } finally {
    if (outcome?.kind !== 'accepted' && !(await isStored(app, folder, outcome))) await folder.discard()
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

async function readPost(
  request: IncomingMessage,
  form: Form,
  folder: UploadFolder,
  limits: UploadLimits,
): Promise<ReadMultipart> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_MULTIPART_BYTES) return { kind: 'too_large' }
  const deadline = startUploadDeadline(request.socket, limits)
  const fileFields = form.fields.filter(({ type }) => type === 'file')
  try {
    return await readMultipart(request.iterator({ destroyOnReturn: false }), {
      contentType: request.headers['content-type'] ?? '',
      fileLimits: new Map(fileFields.map(({ name, validation }) => [name, maxFileBytes(validation)])),
      folder,
      signal: deadline.signal,
      onBytes: deadline.touch,
    })
  } finally {
    deadline.end()
  }
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
  app.log.error({ err: read.error }, 'a file of a visitor could not be written')
  return { kind: 'unavailable' }
}

// A commit whose answer was lost may have been made: then the rows need their files.
async function isStored({ db }: App, folder: UploadFolder, outcome: PostOutcome | undefined) {
  if (outcome && outcome.kind !== 'unavailable') return false
  return listKnownFolders(db, [folder.name]).then(
    (known) => known.has(folder.name),
    () => true,
  )
}

async function linger(request: IncomingMessage) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LINGER_MS)
  request.once('end', resolve).once('close', resolve).resume()
  await promise
  clearTimeout(timer)
}
