import { decodedPath } from '../../lib/names/decoded-path.ts'
import { filesAt } from '../../publish/release/page-file.ts'

const SAFE_PATH = /^(?:\/[A-Za-z0-9_@-][A-Za-z0-9._@-]*)+$|^\/$/
// After decoding: files in `public` and own pages can have any other name.
const NAMED_PATH = /^(?:\/\.well-known(?=\/))?(?:\/[^./\\\p{Cc}][^/\\\p{Cc}]*)+$/u

/** Returns the address to redirect to, or the same: contract §4 has no trailing slash and no `.html`. */
export function canonicalPath(path: string): string {
  if (!SAFE_PATH.test(path.replace(/\/+$/, '') || '/')) return path
  const bare = path.replace(/\/+$/, '').replace(/\.html$/, '')
  return bare === '' || bare === '/index' ? '/' : bare
}

/** Returns the file of an address below the `site` folder; undefined for an address that no release has. */
export function siteFile(path: string): string | undefined {
  return siteFiles(path)[0]
}

/** Returns the same, and where a file without an extension may be instead of a page. */
export function siteFiles(path: string): string[] {
  if (SAFE_PATH.test(path)) return filesAt(path)
  const name = decodedPath(path)
  // Only as browsers encode it, so that each file has one address.
  return NAMED_PATH.test(name) && encodeURI(name) === path ? filesAt(name) : []
}
