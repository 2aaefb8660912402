import { z } from 'zod'
import { adminCookie, type CookieContext } from '../access/admin-cookie.ts'

/** A message that the next page shows once. */
export interface Flash {
  kind: 'success' | 'error'
  text: string
  /** The ID of a deleted item in the trash, which a button restores. */
  undo?: number | undefined
  /** The page that the message is about. */
  link?: FlashLink | undefined
}

interface FlashLink {
  to: string
  label: string
}

/** Browsers drop cookies above 4 KiB, and proxies respond to larger headers with 502. */
const MAX_CHARACTERS = 300

const cookie = adminCookie('flash', { maxAgeSeconds: 60 })

const readAs = z.object({
  kind: z.enum(['success', 'error']),
  text: z.string(),
  undo: z.int().optional(),
  // Another site on this host could set the cookie.
  link: z.object({ to: z.string().startsWith('/admin/'), label: z.string() }).optional(),
})

/** Redirects to another page of the admin (303), which shows the message. */
export function redirectWithMessage(
  context: CookieContext,
  path: string,
  { kind = 'success', text, undo, link }: Omit<Flash, 'kind'> & Partial<Pick<Flash, 'kind'>>,
): Response {
  cookie.set(context, JSON.stringify({ kind, text: shorten(text), undo, link }))
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
    return readAs.safeParse(JSON.parse(value)).data
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
