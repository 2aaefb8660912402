import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../../config.ts'
import { connectDatabase } from '../../db/connect.ts'
import { Failure } from '../../lib/messages.ts'
import { ownPageFailures } from '../../messages/server/own-pages.ts'
import { movedFiles } from '../../publish/addresses/moved-addresses.ts'
import { createPageAddresses } from '../../publish/addresses/page-addresses.ts'
import { toSeconds } from '../../publish/ledger/page-record.ts'
import { makeEntryPictures } from '../../publish/pictures/entry-pictures.ts'
import { addSiteFiles } from '../../publish/release/add-site-files.ts'
import { pageFile, pagePath } from '../../publish/release/page-file.ts'
import type { Release } from '../../publish/release/release.ts'
import { SiteWriter } from '../../publish/release/site-writer.ts'
import { listPublicFiles } from '../../site/own-pages/own-files.ts'
import { isListedPage } from '../../site/own-pages/own-page.ts'
import type { Page } from '../../site/pages/page.ts'
import { sitemapFiles } from '../../site/pages/site-files.ts'
import { listShownPictures } from '../../site/pictures/shown-pictures.ts'
import { builtSite } from './built-site.ts'
import { readStaticSite } from './static-site.ts'

interface Prerendered {
  /** Addresses of the pages. */
  built: readonly string[]
  publicDir: string
}

/**
 * Adds to the pages that `astro build` prerendered all that a release has beside its pages. Throws if a file in
 * `public` replaced a page.
 */
export async function completeStaticSite(outDir: string, { built, publicDir }: Prerendered): Promise<void> {
  const { databaseUrl, dataDir } = readConfig()
  const { content, pages: found } = await readStaticSite()
  const pages = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  refuseReplaced(publicDir, new Set([...found.keys(), ...built.map(withoutEnding)]))
  const site = builtSite(outDir)
  const own = findOwn(site, { built, found })
  const writer = new SiteWriter(site.siteDir)
  const db = connectDatabase(databaseUrl)
  try {
    const shown = await listShownPictures(db, content)
    await makeEntryPictures(db, { dataDir, pictures: shown })
    const addresses = createPageAddresses()
    for (const page of pages) addresses.note(page)
    // A publish would store this; nothing is published here.
    const { moved } = await addresses.settle(db)
    for (const [file, text] of movedFiles(moved)) writer.write(file, text)
    const drawings = pages.flatMap(({ picture }) => picture ?? [])
    const problems = await addSiteFiles(writer, site, {
      ...{ db, dataDir, content, clientDir: site.siteDir, pictures: shown },
      drawings: [...new Map(drawings.map((drawing) => [drawing.path, drawing])).values()],
    })
    for (const problem of problems) process.stderr.write(`${problem}\n`)
  } finally {
    await db.destroy()
  }
  const modifiedAt = toSeconds(content.shownAt)
  const listed = pages.filter(({ view }) => !view.head.isHidden)
  const addresses = [...listed.map(({ path }) => path), ...own].sort().map((path) => ({ path, modifiedAt }))
  for (const [path, text] of sitemapFiles(content.siteUrl, addresses)) writer.write(path.slice(1), text)
}

const withoutEnding = (path: string) => path.replace(/\.html$/, '')

/** Throws if a file in `public` is at one of these pages’ addresses. */
export function refuseReplaced(publicDir: string, paths: ReadonlySet<string>) {
  for (const file of listPublicFiles(publicDir)) {
    const path = pagePath(file)
    if (paths.has(path)) throw new Failure(ownPageFailures, 'fileTaken', file, path)
  }
}

// Of the prerendered addresses those that the program has no page for, if sitemaps have them.
function findOwn(
  { siteDir }: Release,
  { built, found }: { built: readonly string[]; found: ReadonlyMap<string, Page> },
): string[] {
  const paths = built.map(withoutEnding)
  const own = paths.filter((path) => !found.has(path) && path !== '/')
  return own.filter((path) => isListedPage(path, readFileSync(join(siteDir, pageFile(path)), 'utf8')))
}
