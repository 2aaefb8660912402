import { type SubmissionSource, TOUCH_KEYS, type Touch } from '../../db/tables/submission-source.ts'
import { isTold, sourceName } from '../../templates/source-name.ts'

const MAX_VALUE = 512
const MAX_PAGES = 30
/** Maximum length of the control. What the script stores is far below. */
const MAX_CHARACTERS = 32_768
/** Start of the path that forms post to. */
const RESPONSES = '/api/forms/'

/** The parts of a request that show where it came from. */
export interface CameFrom {
  /** `Referer`: the page with the form. */
  referrer?: string | undefined
  /** `Sec-GPC: 1` (Global Privacy Control): only this is stored. */
  isPrivate?: boolean
}

interface Post extends CameFrom {
  /** The control `_source`, as received. */
  sent: unknown
  pagePath: string | undefined
  /** Query of `pagePath`, if the form was shown again after a mistake. */
  pageQuery?: string
  /** Hosts of the site itself. */
  ownHosts: ReadonlySet<string>
  now: Date
}

/** A source with the name of its last touch; null for visitors who opted out of tracking. */
export interface NamedSource {
  source: SubmissionSource
  name: string | null
}

/**
 * Reads where a post came from (contract §8): from what the pages' script noted, else from the page and its URL
 * parameters. Undefined if nothing is known.
 */
export function readSource(post: Post): NamedSource | undefined {
  if (post.isPrivate) return { source: { optedOut: true }, name: null }
  const noted = readNoted(post.sent)
  const source = noted ?? readPage(post)
  const last = source?.last
  if (!source || !last) return undefined
  // Without the script, a page without parameters doesn't show what led to it.
  if (!noted && !isTold(last, post.ownHosts)) return { source, name: UNKNOWN }
  return { source, name: sourceName(last, post.ownHosts) }
}

/** Name of an unknown source. */
export const UNKNOWN = 'unknown'

function readNoted(sent: unknown): SubmissionSource | undefined {
  if (typeof sent !== 'string' || sent === '' || sent.length > MAX_CHARACTERS) return undefined
  const noted = objectOf(parseJson(sent))
  const [first, last] = [readTouch(noted?.first), readTouch(noted?.last)]
  const pages = Array.isArray(noted?.pages) ? pageTexts(noted.pages) : []
  const known = last ?? first
  if (!known) return undefined
  return { ...(first && { first }), last: known, ...(pages.length > 0 && { pages }) }
}

// Drops unknown keys; values of the wrong type count as missing. Uses no schema, which would take a tenth of a post's
// time.
function readTouch(sent: unknown): Touch | undefined {
  const values = objectOf(sent)
  if (!values) return undefined
  const touch: { -readonly [Key in keyof Touch]: Touch[Key] } = {}
  for (const key of TOUCH_KEYS) {
    const value = values[key]
    const text = typeof value === 'string' ? cut(value) : ''
    if (text !== '') touch[key] = text
  }
  return touch
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : undefined
}

function readPage(post: Post): SubmissionSource | undefined {
  const { pagePath, now } = post
  const page = pageWithForm(post)
  if (!page && pagePath === undefined) return undefined
  // Posts from other origins include only their origin.
  const path = page && page.pathname !== '/' ? page.pathname : pagePath
  const last = withoutBlanks({
    at: now.toISOString(),
    landing_page: cut(path ?? '/'),
    referrer: page ? cut(page.origin + page.pathname) : undefined,
    ...Object.fromEntries(tagsOf(page)),
  })
  return { last }
}

/**
 * Returns the tags in the URL of the page with the form as a query, such as `?gclid=abc`, or an empty text. The form
 * that is shown again after a mistake posts them with its page.
 */
export function pageTags(post: Pick<Post, 'referrer' | 'isPrivate' | 'pagePath' | 'pageQuery'>): string {
  const tags = post.isPrivate ? [] : tagsOf(pageWithForm(post))
  return tags.length === 0 ? '' : `?${new URLSearchParams(tags)}`
}

// After a mistake, browsers send the URL of the response, which shows the form again.
function pageWithForm({ referrer = '', pagePath, pageQuery = '' }: Parameters<typeof pageTags>[0]) {
  const page = URL.parse(referrer)
  if (!page?.pathname.startsWith(RESPONSES)) return page
  return pagePath === undefined ? null : URL.parse(pagePath + pageQuery, page.origin)
}

function tagsOf(page: URL | null): [key: string, value: string][] {
  const tags = TOUCH_KEYS.filter((key) => key !== 'at' && key !== 'landing_page' && key !== 'referrer')
  return tags.flatMap((key) => {
    const value = cut(page?.searchParams.get(key) ?? '')
    return value === '' ? [] : [[key, value]]
  })
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function pageTexts(pages: unknown[]): string[] {
  return pages
    .filter((page) => typeof page === 'string')
    .map(cut)
    .slice(-MAX_PAGES)
}

// Counts whole characters, never half a surrogate pair.
function cut(value: string): string {
  const plain = value.replace(/\p{Cc}/gu, '')
  return (plain.length <= MAX_VALUE ? plain : [...plain].slice(0, MAX_VALUE).join('')).toWellFormed()
}

function withoutBlanks(touch: Readonly<Record<string, string | undefined>>): Touch {
  return Object.fromEntries(Object.entries(touch).filter(([, value]) => value)) as Touch
}
