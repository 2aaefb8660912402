import { randomUUID } from 'node:crypto'
import { type CameFrom, pageTags } from '../sources/read-source.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const MAX_PATH_LENGTH = 512

/** The form's own controls, whose names start with `_` (contract §5). */
export interface FormControls {
  /** The visitor's UUID for this submission, in lower case. */
  id: string | undefined
  /** Path of the page that showed the form, without query and fragment. */
  page: string | undefined
  /** Query of `page`, such as `?gclid=abc`: a form that is shown again posts the source tags of its first page. */
  pageQuery: string
  /** When the form was opened, in ms since 1970. */
  openedAt: number | undefined
  /**
   * Time the form was open, in ms, measured by the browser's monotonic clock, so that a wrong clock doesn't matter.
   */
  openMs: number | undefined
  /** The version of the form that the page showed. */
  version: number | undefined
}

/** Reads the controls of a post. Malformed ones count as missing. */
export function readControls(body: Readonly<Record<string, unknown>>): FormControls {
  return {
    id: readId(body._id),
    page: readPage(body._page),
    pageQuery: readQuery(body._page),
    openedAt: readMoment(body._t),
    openMs: readCount(body._open_ms),
    version: readCount(body._v) || undefined,
  }
}

/** Returns the page that showed the form, as the sources of leads read it. */
export function pageOf({ page, pageQuery }: FormControls) {
  return { pagePath: page, pageQuery }
}

/** Returns the page that a form posts when it is shown again: its path and, if leads have sources, its tags. */
export function pageToPostAgain(post: {
  posted: { keepsSources: boolean }
  controls: FormControls
  cameFrom?: CameFrom | undefined
}): string | undefined {
  const { posted, controls, cameFrom } = post
  if (controls.page === undefined || !posted.keepsSources) return controls.page
  return controls.page + pageTags({ ...cameFrom, ...pageOf(controls) })
}

function readId(sent: unknown): string | undefined {
  return typeof sent === 'string' && UUID.test(sent) ? sent.toLowerCase() : undefined
}

function readCount(sent: unknown): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(String(sent)) ? Number(sent) : undefined
}

// Milliseconds since 1970, or an ISO 8601 date-time.
function readMoment(sent: unknown): number | undefined {
  const text = String(sent)
  if (/^\d{1,15}$/.test(text)) return Number(text)
  const time = /^\d{4}-\d\d-\d\dT[\d:.]{5,15}(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function readPage(sent: unknown): string | undefined {
  if (typeof sent !== 'string') return undefined
  const path = sent.replace(/[?#].*$/s, '')
  if (path.length > MAX_PATH_LENGTH) return undefined
  // Two slashes would point to another host.
  return /^\/(?!\/)[^\s\p{Cc}\\]*$/u.test(path) && path.isWellFormed() ? path : undefined
}

function readQuery(sent: unknown): string {
  return typeof sent === 'string' ? (/\?[^#]*/.exec(sent)?.[0] ?? '') : ''
}

/** Makes a UUID version 7. It starts with the time, so that new ones are next to each other in the index. */
export function newClientId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
