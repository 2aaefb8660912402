import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '../../app.ts'
import { logTexts } from '../../messages/server/log.ts'
import { cspReportTexts } from '../../messages/server/requests.ts'
import { sendAnswer, textAnswer } from '../http/answer.ts'
import { readRequestBody } from '../http/request-body.ts'
import { CSP_REPORTS_PATH } from '../http/security-headers.ts'
import type { RefusalCode } from '../refusals/refusal-log.ts'
import { readViolations, type Violation } from './read-violations.ts'

const MOST_BYTES = 8 * 1024
export const POSTS_PER_MINUTE = 60
export const MOST_VIOLATIONS = 200
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Returns whether this is where browsers send reports of the Content Security Policy. */
export function isCspReport({ url }: IncomingMessage): boolean {
  return url?.split('?')[0] === CSP_REPORTS_PATH
}

/** Accepts browsers' reports and logs each violation once a day. */
export function createCspReports({ log, refusals }: Pick<App, 'log' | 'refusals'>) {
  const isWithinLimit = createLimit(() => new Date())
  const note = createViolationLog(log)

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const report = await takeReport(request, isWithinLimit)
    if (report === 'aborted') return void response.destroy()
    if (Array.isArray(report)) {
      report.forEach(note)
      return void response.writeHead(204).end()
    }
    const { status, text, code, headers = {} } = report
    if (code) refusals.note(code, request)
    // The rest of the body is not read.
    response.setHeaders(new Map(Object.entries({ connection: 'close', ...headers })))
    sendAnswer(response, textAnswer(status, text))
  }
}

interface Refused {
  status: number
  text: string
  code?: RefusalCode
  headers?: Record<string, string>
}

const TOO_MANY: Refused = {
  status: 429,
  text: cspReportTexts.tooMany,
  headers: { 'retry-after': '60' },
}
const NO_POST: Refused = {
  status: 405,
  text: cspReportTexts.wrongMethod,
  code: 'request_refused',
  headers: { allow: 'POST' },
}
const TOO_LARGE: Refused = {
  status: 413,
  text: cspReportTexts.tooLarge(MOST_BYTES / 1024),
  code: 'too_large',
}
const UNREADABLE: Refused = {
  status: 400,
  text: cspReportTexts.unreadable,
  code: 'request_refused',
}

// Requests that are not posts don't count as reports.
async function takeReport(request: IncomingMessage, isWithinLimit: () => boolean) {
  if (request.method !== 'POST') return NO_POST
  return isWithinLimit() ? readReport(request) : TOO_MANY
}

async function readReport(request: IncomingMessage): Promise<Violation[] | Refused | 'aborted'> {
  const received = await readRequestBody(request, MOST_BYTES)
  if (received.kind === 'aborted') return 'aborted'
  if (received.kind === 'too_large') return TOO_LARGE
  return readViolations(received.bytes) ?? UNREADABLE
}

// Every visitor's browser reports the same violation.
function createLimit(now: () => Date): () => boolean {
  let window = { minute: 0, posts: 0 }
  return () => {
    const minute = Math.floor(now().getTime() / MINUTE_MS)
    if (window.minute !== minute) window = { minute, posts: 0 }
    window.posts += 1
    return window.posts <= POSTS_PER_MINUTE
  }
}

/**
 * Logs each violation once a day (UTC), up to a limit: anyone can invent reports, which must not fill the memory or the
 * log, or hide real ones permanently.
 */
export function createViolationLog(
  log: Pick<App['log'], 'warn'>,
  now = () => new Date(),
): (violation: Violation) => void {
  const known = new Set<string>()
  let today = 0
  return ({ directive, blocked }) => {
    const day = Math.floor(now().getTime() / DAY_MS)
    if (day !== today) known.clear()
    today = day
    const key = `${directive} ${blocked}`
    if (known.has(key) || known.size >= MOST_VIOLATIONS) return
    known.add(key)
    log.warn({ directive, blocked }, logTexts.policyViolation)
  }
}
