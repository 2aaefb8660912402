import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { App } from '../../app.ts'
import { can } from '../../auth/roles/capabilities.ts'
import { adminPostTexts } from '../../messages/server/requests.ts'
import { MAX_UPLOAD_BYTES } from '../../pictures/prepare-picture.ts'
import type { FormBody } from '../../submissions/intake/read-form-body.ts'
import { MAX_MULTIPART_BYTES, readMultipart } from '../../submissions/intake/read-multipart.ts'
import { createUploadFolder } from '../../submissions/uploads/upload-folder.ts'
import { startUploadDeadline, UPLOAD_LIMITS } from '../forms/upload-deadline.ts'
import { sendAnswer, textAnswer } from '../http/answer.ts'
import { linger } from '../http/request-body.ts'
import { findSession } from './admin-body.ts'

const MIB = 1024 * 1024
const UPLOADS = /^\/admin\/pictures\/(?:new|\d{1,15}\/replacement)$/
const STATUS = {
  unreadable: 400,
  too_large: 413,
  too_many_values: 413,
  not_stored: 503,
  aborted: 408,
} as const

/** A file in a post to the admin. */
export interface ReceivedPicture {
  /** Undefined if the file was empty or too large. */
  path: string | undefined
  /** In bytes, as sent. */
  size: number
  /** The file's name from the user's device, cleaned. */
  name: string
}

interface PictureUpload {
  files: ReceivedPicture[]
  /** The other fields, as in a post without files. */
  body: Buffer
  discard(): Promise<void>
}

/**
 * Decides on a post with pictures: `take` it, or `refuse` it unread if the user may not change pictures. Undefined for
 * any other post, and for one without a session, which gets the small limit of the sign-in.
 */
export async function judgeUpload(
  { db }: Pick<App, 'db'>,
  request: IncomingMessage,
): Promise<'take' | 'refuse' | undefined> {
  const { method, url = '', headers } = request
  const isMultipart = /^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')
  if (method !== 'POST' || !isMultipart || !UPLOADS.test(url)) return undefined
  const session = await findSession(db, request)
  if (!session) return undefined
  return can(session.administrator, 'edit_content') && !session.lacksTwoFactors ? 'take' : 'refuse'
}

/** Writes pictures to disk as they arrive. Undefined, after responding, if they did not arrive completely. */
export async function takePictureUpload(
  app: App,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<PictureUpload | undefined> {
  const folder = createUploadFolder(app.files)
  const deadline = startUploadDeadline(request.socket, UPLOAD_LIMITS)
  const read = await readMultipart(request.iterator({ destroyOnReturn: false }), {
    contentType: request.headers['content-type'] ?? '',
    fileLimitOf: () => MAX_UPLOAD_BYTES,
    folder,
    signal: deadline.signal,
    onBytes: deadline.touch,
  }).finally(deadline.end)
  if (read.kind !== 'body') {
    await folder.discard()
    await refuse(app, request, response, read)
    return undefined
  }
  const files = Object.values(read.files)
    .flat()
    .map(({ file, name, size }) => ({
      ...{ name, size },
      path: file === '' ? undefined : join(folder.temporary, file),
    }))
  return { files, body: formBody(read.body), discard: folder.discard }
}

type Unread = Exclude<Awaited<ReturnType<typeof readMultipart>>, { kind: 'body' }>

async function refuse(app: App, request: IncomingMessage, response: ServerResponse, read: Unread) {
  if (read.kind === 'aborted') return void response.destroy()
  if (read.kind === 'not_stored') app.log.error({ err: read.error }, 'picture upload')
  else app.refusals.note('too_large', request)
  if (!request.complete) await linger(request)
  response.setHeader('connection', 'close')
  const limit = adminPostTexts.megabytes(MAX_MULTIPART_BYTES / MIB)
  sendAnswer(response, textAnswer(STATUS[read.kind], adminPostTexts.limit(limit)))
}

function formBody(values: FormBody): Buffer {
  const fields = new URLSearchParams()
  for (const [name, list] of Object.entries(values))
    for (const value of [list].flat()) fields.append(name, String(value))
  return Buffer.from(fields.toString())
}
