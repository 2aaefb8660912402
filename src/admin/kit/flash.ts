import { adminCookie, type CookieContext } from '../access/admin-cookie.ts'

/** A message that the next page shows once. */
export interface Flash {
  kind: 'success' | 'error'
  text: string
}

/** Browsers drop cookies above 4 KiB, and proxies respond to larger headers with 502. */
const MAX_CHARACTERS = 300

const cookie = adminCookie('flash', { maxAgeSeconds: 60 })

/** Redirects to another page of the admin (303), which shows the message. */
export function redirectWithMessage(
  context: CookieContext,
  path: string,
  text: string,
  kind: Flash['kind'] = 'success',
): Response {
  cookie.set(context, JSON.stringify({ kind, text: shorten(text) }))
  return seeOther(path)
}

/** Adds a sentence to the message that the next page shows. */
export function addMessage(context: CookieContext, text: string): void {
  const earlier = readFlash(context)?.text
  cookie.set(
    context,
    JSON.stringify({ kind: 'success', text: shorten(earlier ? `${earlier} ${text}` : text) }),
  )
}

/** Redirects to another page of the admin (303). */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { location: path } })
}

/** Returns the message left by the previous page, and clears it. */
export function takeFlash(context: CookieContext): Flash | undefined {
  const flash = readFlash(context)
  if (flash) cookie.clear(context)
  return flash
}

function readFlash(context: CookieContext): Flash | undefined {
  const value = cookie.read(context)
  if (value === undefined) return undefined
  try {
    const { kind, text } = JSON.parse(value)
    return typeof text === 'string' ? { kind: kind === 'error' ? 'error' : 'success', text } : undefined
  } catch {
    return undefined
  }
}

// By code points, because half of a surrogate pair can't be written into a header.
function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_CHARACTERS)]
  if (text.length <= MAX_CHARACTERS) return text
  return `${characters
    .slice(0, MAX_CHARACTERS - 1)
    .join('')
    .toWellFormed()}…`
}
