import { hasExtension } from '../../site/own-pages/own-page.ts'

/**
 * Returns the file of a page below a release's `site` folder: `/` is `index.html`, `/a/b` is `a/b.html`. A path with
 * an extension is one of the site's own files: `/feed.xml` is `feed.xml`.
 */
export function pageFile(path: string): string {
  if (path === '/') return 'index.html'
  return hasExtension(path) ? path.slice(1) : `${path.slice(1)}.html`
}

/** Returns the path whose page would be in a file, or the address of another kind of file. */
export function pagePath(file: string): string {
  if (file === 'index.html') return '/'
  const path = `/${file.replace(/\.html$/, '')}`
  return pageFile(path) === file ? path : `/${file}`
}

/**
 * Lists the files that an address may mean, below a release's `site` folder. Without an extension, a page is first.
 * Other static hosts read `_headers` and `_redirects`, visitors don't.
 */
export function filesAt(path: string): string[] {
  const file = path.slice(1)
  if (hasExtension(path)) return [file]
  return /^[^_]/.test(file) ? [pageFile(path), file] : [pageFile(path)]
}
