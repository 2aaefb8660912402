/** A page from a site's own `src/pages`. */
export interface OwnPage {
  /** `/about`, or `/feed.xml` for a file that isn't a page. */
  path: string
  /** The file of the route: `src/pages/about.astro`. */
  file: string
  /** Props of the page from `getStaticPaths`. */
  props: Readonly<Record<string, unknown>>
}

/** Returns the key of an own page, which is its address. */
export function ownPageKey(path: string): string {
  return `own:${path}`
}

// In the last part of the path. `/v2.0` is a page.
const EXTENSION = /\.(?=[^./]*[a-z])[^./]+$/i

// Below it are files for programs, whose names are exact.
const WELL_KNOWN = '/.well-known/'

/** Returns true for the path of a file that isn't a page, such as `/feed.xml`, with or without an extension. */
export function hasExtension(path: string): boolean {
  return path.startsWith(WELL_KNOWN) || EXTENSION.test(path)
}

const NOINDEX = /<meta\s[^>]*\bname="?robots"?[^>]*\bcontent="?[^">]*\bnoindex\b/i

/** Returns true if sitemaps list a page: HTML that doesn't ask search engines to leave it out. */
export function isListedPage(path: string, html: string): boolean {
  return !hasExtension(path) && !NOINDEX.test(html)
}
