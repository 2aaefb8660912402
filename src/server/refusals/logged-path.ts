// The rest of such a path signs someone in or opens a preview, also behind parts such as `x/..` that a server removes.
const SECRET_PATH = /(\/(?:invitation|password-reset|previews)\/).+$/i

/** Returns the path of a request as the log may show it: without the query, which may hold personal data, and without a token. */
export function loggedPath(url = ''): string {
  const [path = ''] = url.split('?')
  return decoded(path).replace(SECRET_PATH, '$1…')
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
