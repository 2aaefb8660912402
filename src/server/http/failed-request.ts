import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isStorageFailure } from '../../db/storage-failure.ts'
import type { Log } from '../../lib/log.ts'
import { logTexts } from '../../messages/server/log.ts'
import { requestTexts } from '../../messages/server/requests.ts'
import { siteTexts } from '../../messages/visitor/site.ts'
import { loggedPath } from '../refusals/logged-path.ts'
import { type Answer, pageAnswer, textAnswer } from './answer.ts'
import type { StaticSite } from './static-site.ts'

const RETRY_AFTER_SECONDS = '5'

/**
 * Returns the answer to a request whose handling threw: 503 when the storage is unavailable, otherwise 500, without
 * details. The log has them, with the path and the reference that the answer shows.
 */
export function createFailureAnswer(log: Pick<Log, 'error'>, site: StaticSite) {
  return async (request: IncomingMessage, error: unknown): Promise<Answer> => {
    const reference = randomBytes(6).toString('hex')
    const path = loggedPath(request.url)
    log.error({ err: error, requestId: reference, method: request.method, path }, logTexts.requestFailed)
    const answer = isStorageFailure(error) ? storageAway(reference) : await sorry(request, site, reference)
    return { ...answer, headers: { ...answer.headers, 'x-request-id': reference } }
  }
}

function storageAway(reference: string): Answer {
  const answer = textAnswer(503, requestTexts.databaseAway(reference))
  return { ...answer, headers: { ...answer.headers, 'retry-after': RETRY_AFTER_SECONDS } }
}

async function sorry(request: IncomingMessage, site: StaticSite, reference: string): Promise<Answer> {
  const page = wantsPage(request) ? await site.findErrorPage().catch(() => undefined) : undefined
  if (page) return pageAnswer(500, withReference(page, reference))
  return textAnswer(500, requestTexts.failed(reference))
}

function wantsPage({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false
}

function withReference(page: Buffer, reference: string): string {
  const note = `<p class="shell mt-6">${siteTexts.errorReference} <code>${reference}</code></p></main>`
  return page.toString().replace('</main>', note)
}
