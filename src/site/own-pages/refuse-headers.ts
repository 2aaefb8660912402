import { Failure } from '../../lib/messages.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'

// Astro sets these itself.
const OF_ASTRO = /^(?:content-type|content-length|x-astro-.*)$/

/** Throws if a page sets a header or a cookie. Its media type follows from its address. */
export function refuseHeaders(
  path: string,
  headers: Headers,
  cookies: { headers(): Iterable<string> },
): void {
  const name = [...headers.keys()].find((key) => !OF_ASTRO.test(key))
  const [cookie] = cookies.headers()
  const refused = name ?? (cookie === undefined ? undefined : 'set-cookie')
  if (refused !== undefined) throw new Failure(ownPageFailures, 'headerSet', path, refused)
}
