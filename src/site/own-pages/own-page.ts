/** A page of a site's own `src/pages`, as its route makes it. */
export interface OwnPage {
  /** `/about`, or of a file that is not a page `/feed.xml`. */
  path: string
  /** The file of the route: `src/pages/about.astro`. */
  file: string
  /** Props of the page from `getStaticPaths`. */
  props: Readonly<Record<string, unknown>>
}

/** The key of an own page: it is about its address. */
export function ownPageKey(path: string): string {
  return `own:${path}`
}

const NOINDEX = /<meta\s[^>]*\bname="?robots"?[^>]*\bcontent="?[^">]*\bnoindex\b/i

/** Returns true if sitemaps list a page: HTML that does not ask search engines to leave it out. */
export function isListedPage(path: string, html: string): boolean {
  return !path.includes('.') && !NOINDEX.test(html)
}
