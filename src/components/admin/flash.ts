import type { APIContext } from 'astro'

type Context = Pick<APIContext, 'cookies'>

/** A message that the next page shows once. */
export interface Flash {
  kind: 'success' | 'error'
  text: string
}

const COOKIE = 'signpost_flash'
const SECONDS = 60

/** Leads to another page of the admin (303), which says that it is done. */
export function redirectWithMessage(
  context: Context,
  path: string,
  text: string,
  kind: Flash['kind'] = 'success',
): Response {
  const options = { path: '/admin', httpOnly: true, sameSite: 'lax', maxAge: SECONDS } as const
  context.cookies.set(COOKIE, { kind, text }, options)
  return seeOther(path)
}

/** Leads to another page of the admin (303). */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { location: path } })
}

/** The message of the page before, which is gone then. */
export function takeFlash({ cookies }: Context): Flash | undefined {
  const cookie = cookies.get(COOKIE)
  if (!cookie) return undefined
  cookies.delete(COOKIE, { path: '/admin' })
  try {
    const { kind, text } = cookie.json()
    return typeof text === 'string' ? { kind: kind === 'error' ? 'error' : 'success', text } : undefined
  } catch {
    return undefined
  }
}
