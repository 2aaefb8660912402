import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isStorageFailure } from '../../db/storage-failure.ts'
import type { Log } from '../../lib/log.ts'
import { loggedPath } from '../refusals/logged-path.ts'
import { type StaticSite, sendPage, sendText } from './static-site.ts'

const RETRY_AFTER_SECONDS = '5'
const SORRY = 'Something went wrong on our side. Please try again in a minute.'
const AWAY = 'The database does not answer just now. Please try again in a moment.'

/**
 * Answers a request whose handling threw: 503 when the storage is away, otherwise 500, without details. The log has
 * them under the reference that the answer shows, and the path.
 */
export async function answerFailure(
  { log, site }: { log: Pick<Log, 'error'>; site: StaticSite },
  { request, response, error }: { request: IncomingMessage; response: ServerResponse; error: unknown },
): Promise<void> {
  const reference = randomBytes(6).toString('hex')
  const path = loggedPath(request.url)
  log.error({ err: error, requestId: reference, method: request.method, path }, 'request failed')
  if (response.headersSent) {
    response.destroy()
    return
  }
  const isAway = isStorageFailure(error)
  response.setHeader('x-request-id', reference)
  if (isAway) response.setHeader('retry-after', RETRY_AFTER_SECONDS)
  const page = isAway || !wantsPage(request) ? undefined : await site.findErrorPage().catch(() => undefined)
  if (page) sendPage(request, response, 500, withReference(page, reference))
  else sendText(response, isAway ? 503 : 500, `${isAway ? AWAY : SORRY}\nReference: ${reference}`)
}

function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}

function withReference(page: Buffer, reference: string): string {
  const note = `<p class="shell mt-6">Reference for us: <code>${reference}</code></p></main>`
  return page.toString().replace('</main>', note)
}
