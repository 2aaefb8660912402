import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../../app.ts'
import type { OpenSession } from '../../auth/session-store.ts'
import { resumeSession } from '../../auth/sessions.ts'
import type { Db } from '../../db/schema.ts'
import { adminPostTexts } from '../../messages/server/requests.ts'
import { pageAnswer, sendAnswer, textAnswer } from '../http/answer.ts'
import { readRequestBody } from '../http/request-body.ts'
import { PLAIN_PAGE_POLICY, plainPage } from '../plain-pages/plain-page.ts'

const KIB = 1024
/** Reading half a megabyte and showing it again takes 40 ms. */
const MAX_BODY_BYTES = 512 * KIB
/** Strangers could keep the server busy with more. */
const MAX_BODY_BYTES_BEFORE_SIGN_IN = 64 * KIB
/** Far more than any page sends. */
const MAX_FIELDS = 10_000
// Without the prefix when the admin is opened as 127.0.0.1; see src/admin/access/session-cookie.ts.
const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?signpost_session=([\w-]{20,})/

/** Reads a post to the admin; undefined, after responding, if it was too large or the client disconnected. */
export async function readAdminBody(
  { db, refusals }: Pick<App, 'db' | 'refusals'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer | undefined> {
  const limit = await limitOf(db, request)
  const received = await readRequestBody(request, limit)
  if (received.kind === 'bytes' && !hasTooManyFields(request, received.bytes)) return received.bytes
  if (received.kind === 'aborted') return void response.destroy()
  refusals.note('too_large', request)
  refuse(
    request,
    response,
    received.kind === 'bytes' ? adminPostTexts.fields(MAX_FIELDS) : adminPostTexts.kilobytes(limit / KIB),
  )
  return undefined
}

// The session is only looked up for large posts.
async function limitOf(db: Db, { headers }: IncomingMessage): Promise<number> {
  const isSmall =
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= MAX_BODY_BYTES_BEFORE_SIGN_IN
  if (isSmall) return MAX_BODY_BYTES_BEFORE_SIGN_IN
  return (await findSession(db, { headers })) ? MAX_BODY_BYTES : MAX_BODY_BYTES_BEFORE_SIGN_IN
}

/** The session of a request's cookie. */
export async function findSession(
  db: Db,
  { headers }: Pick<IncomingMessage, 'headers'>,
): Promise<OpenSession | undefined> {
  const [, token] = SESSION_COOKIE.exec(headers.cookie ?? '') ?? []
  return token === undefined ? undefined : resumeSession(db, token, { now: new Date() })
}

function refuse(request: IncomingMessage, response: ServerResponse, limit: string) {
  response.setHeader('connection', 'close')
  const text = adminPostTexts.limit(limit)
  if (!request.headers.accept?.includes('text/html')) return sendAnswer(response, textAnswer(413, text))
  response.setHeader('content-security-policy', PLAIN_PAGE_POLICY)
  sendAnswer(response, pageAnswer(413, plainPage({ title: adminPostTexts.tooMuch, text })))
}

// Separators between two fields, or before each part. If there are several Content-Types, any of them may apply.
function hasTooManyFields({ headersDistinct }: IncomingMessage, body: Buffer): boolean {
  const types = String(headersDistinct['content-type'] ?? '')
  const isMultipart = /^\s*multipart[^,]*$/i.test(types)
  const text = body.toString('latin1').toLowerCase()
  const hasTooMany = (mark: string) => text.split(mark, MAX_FIELDS + 1).length > MAX_FIELDS
  return hasTooMany('content-disposition') || (!isMultipart && hasTooMany('&'))
}
