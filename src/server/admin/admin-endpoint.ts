import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { App } from '../../app.ts'
import { requestTexts } from '../../messages/server/requests.ts'
import type { AnswerAdmin } from '../../publish/render/bundle.ts'
import { sendAnswer, textAnswer } from '../http/answer.ts'
import { createClientAddress } from '../http/client-address.ts'
import { linger } from '../http/request-body.ts'
import { readAdminBody } from './admin-body.ts'
import { adminPolicy } from './admin-policy.ts'
import { judgeUpload, type ReceivedPicture, takePictureUpload } from './picture-upload.ts'

/** Values passed to pages, and values they return beside the response (src/env.d.ts). */
type AdminLocals = Pick<
  globalThis.App.Locals,
  'app' | 'clientAddress' | 'receivedPictures' | 'refused' | 'thrown'
>

/** Returns whether an address belongs to the admin: `/admin` and what is below it, spelled exactly so. */
export function isAdminPath(url: string | undefined): boolean {
  return /^\/admin(?:[/?]|$)/.test(url ?? '')
}

/** Passes a checked request below `/admin` to the pages and sends their answer, which no cache may keep. */
export function createAdminEndpoint(app: App, answerAdmin: AnswerAdmin) {
  const clientAddressOf = createClientAddress(app.config.trustedProxies)

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const upload = await judgeUpload(app, request)
    if (upload === 'take') return answerUpload(request, response)
    if (upload === 'refuse') return answerUnread(request, response)
    const body = await readAdminBody(app, request, response)
    if (body) await answer(request, response, { body })
  }

  async function answerUpload(request: IncomingMessage, response: ServerResponse) {
    const upload = await takePictureUpload(app, request, response)
    if (!upload) return
    try {
      await answer(request, response, { ...upload, receivedPictures: upload.files })
    } finally {
      await upload.discard()
    }
  }

  // The guard gives the reason without reading the body.
  async function answerUnread(request: IncomingMessage, response: ServerResponse) {
    if (!request.complete) await linger(request)
    response.setHeader('connection', 'close')
    await answer(request, response, { body: Buffer.alloc(0), receivedPictures: [] })
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    { body, receivedPictures, discard }: Received,
  ): Promise<void> {
    if (!isPlainAddress(request)) {
      app.refusals.note('request_refused', request)
      return sendAnswer(response, textAnswer(404, requestTexts.notFound))
    }
    const locals: AdminLocals = {
      app,
      clientAddress: clientAddressOf(request),
      ...(receivedPictures && { receivedPictures }),
    }
    const page = await answerAdmin(toWebRequest(request, body, receivedPictures && FORM), locals)
    await discard?.()
    if (locals.thrown) throw locals.thrown.error
    const refused = locals.refused ?? (page.status === 403 ? 'forbidden' : undefined)
    if (refused) app.refusals.note(refused, request)
    await send(page, response)
  }
}

interface Received {
  body: Buffer
  receivedPictures?: readonly ReceivedPicture[]
  discard?(): Promise<void>
}

// Astro sees the normalized URL: dots may lead out of the admin, and some escapes have no meaning.
function isPlainAddress(request: IncomingMessage): boolean {
  try {
    return isAdminPath(decodeURI(addressOf(request).pathname))
  } catch {
    return false
  }
}

// The host was checked and is one of the site's.
function addressOf({ headers, url = '/' }: IncomingMessage): URL {
  return new URL(`http://${headers.host}${url}`)
}

// Content type of a post whose files were written to disk.
const FORM = 'application/x-www-form-urlencoded'

function toWebRequest(request: IncomingMessage, body: Buffer, contentType: string | undefined): Request {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  if (contentType) headers.set('content-type', contentType)
  const { method = 'GET' } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(addressOf(request), { method, headers, ...(hasBody && { body: new Uint8Array(body) }) })
}

async function send(answer: Response, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(ADMIN_HEADERS)) response.setHeader(name, value)
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.writeHead(answer.status)
  if (!answer.body) return void response.end()
  if (response.destroyed) return answer.body.cancel()
  // Exports are long: for a slow client, the database cursor waits instead of filling the memory.
  await pipeline(Readable.fromWeb(answer.body as NodeReadableStream), response).catch(ignoreClosedByClient)
}

function ignoreClosedByClient(error: NodeJS.ErrnoException) {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}

const ADMIN_HEADERS = {
  'content-security-policy': adminPolicy(),
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'same-origin',
} as const
