import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Returns the HTML of each page of a published site, by path. */
export type SitePages = Map<string, string>

/** Reads the pages of a release from its folder. */
export function readSitePages(siteDir: string): SitePages {
  const files = readdirSync(siteDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  return new Map(
    files.map((name) => {
      const path = name === 'index.html' ? '/' : `/${name.slice(0, -'.html'.length)}`
      return [path, readFileSync(join(siteDir, name), 'utf8')]
    }),
  )
}

/** Returns the link targets of a page, as written. */
export function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
}

/** Returns internal links, as `page → link`, whose page or fragment doesn't exist. */
export function brokenLinks(pages: SitePages): string[] {
  return [...pages].flatMap(([path, html]) =>
    linksOf(html)
      .filter((href) => /^[/#]/.test(href) && !leadsSomewhere(pages, html, href))
      .map((href) => `${path} → ${href}`),
  )
}

function leadsSomewhere(pages: SitePages, html: string, href: string): boolean {
  const [target = '', id] = href.split('#')
  const there = target === '' ? html : pages.get(target)
  return there !== undefined && (!id || idsOf(there).has(id))
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
}

/** Returns each page's distance in clicks from the home page; unreachable pages are missing. */
export function clicksFromHome(pages: SitePages): Map<string, number> {
  const clicks = new Map([['/', 0]])
  for (const [path, count] of clicks) {
    for (const href of linksOf(pages.get(path) ?? '')) {
      const [target = ''] = href.split('#')
      if (pages.has(target) && !clicks.has(target)) clicks.set(target, count + 1)
    }
  }
  return clicks
}

/** Returns the steps of the visible breadcrumb, as HTML. */
export function crumbsOf(html: string): string[] {
  const [list = ''] = /<nav class="sp-crumbs".*?<\/nav>/s.exec(html) ?? []
  return list.match(/<li.*?<\/li>/gs) ?? []
}

/** Returns the gzipped size of a page and its style sheets. */
export function bytesOfPage(siteDir: string, html: string): number {
  const sheets = [...html.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g)]
  assert.ok(sheets.length > 0)
  return sheets
    .map(([tag]) => /href="([^"]+)"/.exec(tag)?.[1] ?? '')
    .reduce((sum, href) => sum + gzipSync(readFileSync(join(siteDir, href))).length, gzipSync(html).length)
}
