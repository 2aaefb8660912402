import { decodedPath } from '../../lib/names/decoded-path.ts'

// The rest of such a path signs someone in or opens a preview, also behind parts such as `x/..` that a server removes.
const SECRET_PATH = /(\/(?:invitation|password-reset|previews)\/).+$/i

/** Returns the path of a request as the log may show it: without the query, which may hold personal data, and without a token. */
export function loggedPath(url = ''): string {
  const [path = ''] = url.split('?')
  return decodedPath(path).replace(SECRET_PATH, '$1…')
}
