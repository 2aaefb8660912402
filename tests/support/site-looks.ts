import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Page as BrowserPage } from 'playwright-core'
import { connectSqlite } from '#src/db/connect.ts'
import { ensureBundle, loadRenderer } from '#src/publish/render/bundle.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { LOOKS, lookOf, resolveTheme } from '#src/site/theme/looks.ts'
import { themeSettings } from '#src/site/theme/theme-settings.ts'
import { themeStylesheet } from '#src/site/theme/theme-stylesheet.ts'
import { bytesOfPage } from './site-pages.ts'

/** Names of the looks that replace components. */
export const LOOK_NAMES = LOOKS.map(({ name }) => name)

/** Pages of a site in another look, as a publish would render them: HTML by path, and the look's stylesheet. */
export interface SiteInLook {
  pages: ReadonlyMap<string, string>
  theme: { path: string; css: string }
}

/** A picture of the example. */
const PICTURE = 'austin-shop.webp'

/**
 * Renders pages of a running site: every one that `isWanted`. Its services and home page get a picture at the top and
 * a gallery, which the looks show in their own way.
 */
export async function renderInLook(
  dataDir: string,
  { look, siteUrl, isWanted }: { look: string; siteUrl: string; isWanted(path: string): boolean },
): Promise<SiteInLook> {
  const found = lookOf(look)
  const settings = themeSettings.parse({ preset: look })
  const theme = themeStylesheet(settings)
  const { fonts } = resolveTheme(settings)
  const render = await loadRenderer(await ensureBundle(process.cwd()))
  const db = await withPictures(dataDir, look)
  const pages = new Map<string, string>()
  try {
    for await (const page of listPages(db, { siteUrl, now: new Date() })) {
      if (!isWanted(page.path)) continue
      const shown = { fonts, look: found?.name ?? null, heroSizes: found?.heroSizes ?? null }
      const layout = page.view.layout
      const themed = { ...layout, theme: { ...layout.theme, ...shown, stylesheet: theme.path } }
      pages.set(page.path, await render({ ...page, view: { ...page.view, layout: themed } }))
    }
  } finally {
    await db.destroy()
  }
  return { pages, theme }
}

// A copy, because the running site stays as it is.
async function withPictures(dataDir: string, look: string) {
  const copy = join(dataDir, `${look}.db`)
  const original = connectSqlite(join(dataDir, 'signpost.db'))
  await sql`vacuum into ${copy}`.execute(original)
  await original.destroy()
  const db = connectSqlite(copy)
  await sql`update content_entries set data_json = json_set(data_json, '$.hero', ${PICTURE}, '$.gallery', json_array(${PICTURE}))
    where type_id = (select id from content_types where slug = 'services')`.execute(db)
  const { home, ...settings } = await findSiteSettings(db)
  const shown = { ...settings, home: { ...home, hero: PICTURE, gallery: [PICTURE] } }
  await saveSiteSettings(db, shown, { now: new Date().toISOString() })
  return db
}

/** Returns the gzipped size of the HTML and the styles of a page. */
export function bytesInLook(siteDir: string, { theme }: SiteInLook, html: string): number {
  const rest = html.replace(/<link rel="stylesheet" href="[^"]*\/theme-[^>]+>/, '')
  const own = gzipSync(html).length - gzipSync(rest).length
  return bytesOfPage(siteDir, rest) + own + gzipSync(theme.css).length
}

/** Shows these pages in a browser in place of the site's. */
export async function showInLook(page: BrowserPage, { pages, theme }: SiteInLook): Promise<void> {
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname === theme.path) return route.fulfill({ contentType: 'text/css', body: theme.css })
    const html = pages.get(pathname)
    return html === undefined ? route.continue() : route.fulfill({ contentType: 'text/html', body: html })
  })
}

/** Returns what is outside cascade layers in a page's styles; this should be only the layer order. */
export function outsideOfLayers(css: string): string[] {
  const blocks = /\{[^{}]*\}/g
  let rest = css
  while (rest.search(blocks) >= 0) rest = rest.replaceAll(blocks, ';')
  const statements = rest.split(';').map((statement) => statement.trim())
  return statements.filter((statement) => statement !== '' && !statement.startsWith('@layer signpost.'))
}

/** Returns the styles that a page loads from a folder. */
export function stylesOf(siteDir: string, html: string): string[] {
  const sheets = [...html.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)]
  return sheets.map(([, href = '']) => readFileSync(join(siteDir, href), 'utf8'))
}
