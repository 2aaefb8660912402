/** The file of a page below a release's `site` folder: `/` is `index.html`, `/a/b` is `a/b.html`. */
export function pageFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`
}
