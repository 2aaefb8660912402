import { z } from 'zod'
import { adminCookie, type CookieContext } from '../access/admin-cookie.ts'

/** A message that the next page shows once. */
export interface Flash {
  kind: 'success' | 'error'
  text: string
  /** The ID of a deleted item in the trash, which a button restores. */
  undo?: number | undefined
  /** Pages that the text is about; only the first ones are kept. */
  links?: readonly FlashLink[] | undefined
}

/** A link in a message. */
interface FlashLink {
  label: string
  href: string
}

/** Browsers drop cookies above 4 KiB, and proxies respond to larger headers with 502. */
const MAX_CHARACTERS = 300
const MAX_LABEL = 60
const MAX_LINKS = 5
const MAX_BYTES = 3_500

const flashCookie = z.object({
  kind: z.enum(['success', 'error']),
  text: z.string(),
  undo: z.int().optional(),
  // Another site on this host could set the cookie.
  links: z.array(z.object({ label: z.string(), href: z.string().regex(/^\/admin(?:\/|$)/) })).optional(),
})

const cookie = adminCookie('flash', { maxAgeSeconds: 60 })

/** Redirects to another page of the admin (303), which shows the message. */
export function redirectWithMessage(
  context: CookieContext,
  path: string,
  { kind = 'success', text, undo, links = [] }: Omit<Flash, 'kind'> & Partial<Pick<Flash, 'kind'>>,
): Response {
  cookie.set(context, writeFlash({ kind, text: shorten(text), undo, links: links.slice(0, MAX_LINKS) }))
  return seeOther(path)
}

function writeFlash({ links = [], ...message }: Flash): string {
  const short = links.map(({ label, href }) => ({ label: shorten(label, MAX_LABEL), href }))
  const written = JSON.stringify({ ...message, ...(short.length > 0 && { links: short }) })
  const isTooLong = links.length > 0 && encodeURIComponent(written).length > MAX_BYTES
  return isTooLong ? writeFlash({ ...message, links: links.slice(0, -1) }) : written
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
    return flashCookie.safeParse(JSON.parse(value)).data
  } catch {
    return undefined
  }
}

// By code points, because half of a surrogate pair can't be written into a header.
function shorten(text: string, most = MAX_CHARACTERS): string {
  const characters = [...text.slice(0, 2 * most)]
  if (text.length <= most) return text
  return `${characters.slice(0, most - 1).join('')}…`
}
