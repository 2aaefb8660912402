import type { App } from '../../app.ts'
import { loadLayoutView } from '../../site/pages/layout-view.ts'
import { listPages } from '../../site/pages/list-pages.ts'
import { type ListedAddress, siteFiles, sitemapFiles } from '../../site/pages/site-files.ts'
import { themeAssets } from './theme-assets.ts'

const SITE_FILE = /^\/(?:_astro\/theme-|robots\.txt$|llms\.txt$|sitemap-[^/]*\.xml$)/

/** Returns whether a path is that of a file that a publish writes beside the pages. */
export function isSiteFile(path: string): boolean {
  return SITE_FILE.test(path)
}

/** Returns the file as a publish would write it now. Sitemaps lack the site's own pages, which only Astro knows. */
export async function makeSiteFile({ db, config }: App, path: string): Promise<string | Buffer | undefined> {
  if (path.startsWith('/_astro/')) return themeAssets(db)(path)
  const text = siteFiles(await loadLayoutView(db, config)).get(path)
  if (text !== undefined) return text
  const listed: ListedAddress[] = []
  for await (const page of listPages(db, config))
    if (!page.view.head.isHidden) listed.push({ path: page.path, modifiedAt: '' })
  return new Map(sitemapFiles(config.siteUrl, listed)).get(path)
}
