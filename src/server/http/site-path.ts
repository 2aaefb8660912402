import { decodedPath } from '../../lib/names/decoded-path.ts'
import { filesAt, pagePath } from '../../publish/release/page-file.ts'

const SAFE_PATH = /^(?:\/[A-Za-z0-9_@-][A-Za-z0-9._@-]*)+$|^\/$/
// After decoding: files in `public` and own pages can have any other name.
const NAMED_PATH = /^(?:\/\.well-known(?=\/))?(?:\/[^./\\\p{Cc}][^/\\\p{Cc}]*)+$/u

/** Returns the address to redirect to, or the same: contract §4 has no trailing slash and no `.html`. */
export function canonicalPath(path: string): string {
  const [file] = siteFiles(path.replace(/\/+$/, '') || '/')
  return file === undefined ? path : encodeURI(pagePath(file))
}

/** Returns the file of an address below the `site` folder; undefined for an address that no release has. */
export function siteFile(path: string): string | undefined {
  return siteFiles(path)[0]
}

/** Returns the same, and where a file without an extension may be instead of a page. */
export function siteFiles(path: string): string[] {
  if (SAFE_PATH.test(path)) return filesAt(path)
  const name = decodedPath(path)
  return NAMED_PATH.test(name) && isWrittenSo(name, path) ? filesAt(name) : []
}

// Only as browsers encode a name. They leave brackets, which Markdown encodes.
function isWrittenSo(name: string, path: string): boolean {
  const encoded = encodeURI(name)
  return path === encoded || path === encoded.replace(/%5B|%5D/g, decodeURIComponent)
}
