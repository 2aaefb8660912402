import { readConfig } from '../../config.ts'
import { connectDatabase } from '../../db/connect.ts'
import { refuseOtherRevision, refuseWithoutDatabase } from '../../db/current-database.ts'
import { openSharedSnapshot } from '../../db/snapshot.ts'
import { loadSiteContent, type SiteContent } from '../../site/content/site-content.ts'
import { type ContentSource, openContentSource } from '../../site/own-pages/content-source.ts'
import { listPages } from '../../site/pages/list-pages.ts'
import type { Page } from '../../site/pages/page.ts'

/** Input of `astro build` for a site. */
export interface StaticSite {
  content: SiteContent
  /** By address. */
  pages: ReadonlyMap<string, Page>
}

let site: Promise<StaticSite> | undefined

/** Reads all public pages once, at the first call. Throws when the database is missing or not migrated. */
export function readStaticSite(): Promise<StaticSite> {
  site ??= readAll()
  return site
}

/** Returns the page of a prerendered address (`/services/ac-repair.html`). Throws if there is none. */
export async function getStaticPage(pathname: string): Promise<Page> {
  const path = pathname.replace(/\.html$/, '').replace(/^\/index$/, '/')
  const page = (await readStaticSite()).pages.get(path)
  if (!page) throw new Error(`There is no page at ${path}`)
  return page
}

/** Opens what the site's own pages read: the content of the same moment. */
export async function openStaticContent(): Promise<() => ContentSource> {
  const { content } = await readStaticSite()
  const { siteUrl, shownAt: now, layout } = content
  const db = connectDatabase(readConfig().databaseUrl)
  const source = openContentSource({ db, siteUrl, now, layout: async () => layout })
  return () => source
}

async function readAll(): Promise<StaticSite> {
  const { databaseUrl, siteUrl } = readConfig()
  refuseWithoutDatabase(databaseUrl)
  await using snapshot = await openSharedSnapshot(databaseUrl, async () => {})
  const { db } = snapshot
  await refuseOtherRevision(db, 'astro build')
  const options = { siteUrl, now: new Date() }
  const content = await loadSiteContent(db, options)
  const pages = new Map<string, Page>()
  for await (const page of listPages(db, options)) pages.set(page.path, page)
  return { content, pages }
}
