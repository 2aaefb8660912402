import { readConfig } from '../../config.ts'
import { connectDatabase } from '../../db/connect.ts'
import { writeMovedAddresses } from '../../publish/addresses/moved-addresses.ts'
import { createPageAddresses } from '../../publish/addresses/page-addresses.ts'
import { makeEntryPictures } from '../../publish/pictures/entry-pictures.ts'
import { toSeconds } from '../../publish/plan/page-index.ts'
import { addSiteFiles } from '../../publish/release/add-site-files.ts'
import { createSiteWriter } from '../../publish/render/site-writer.ts'
import { builtSite } from './built-site.ts'
import { readStaticSite } from './static-site.ts'

/** Adds to the pages that `astro build` prerendered all that a release has beside its pages. */
export async function completeStaticSite(outDir: string): Promise<void> {
  const { databaseUrl, dataDir } = readConfig()
  const { content, pages } = await readStaticSite()
  const site = builtSite(outDir)
  const db = connectDatabase(databaseUrl)
  try {
    await makeEntryPictures(db, { dataDir, pictures: content.pictures })
    const addresses = createPageAddresses()
    for (const page of pages.values()) addresses.note(page)
    // What a publish would store: nothing is published here.
    const { moved } = await addresses.settle(db)
    await writeMovedAddresses(site, moved)
  } finally {
    await db.destroy()
  }
  const modifiedAt = toSeconds(content.shownAt)
  const listed = [...pages.values()].filter(({ view }) => !view.head.isHidden)
  const pictures = [...pages.values()].flatMap(({ picture }) => picture ?? [])
  await addSiteFiles(createSiteWriter(site.siteDir), site, {
    ...{ dataDir, content, clientDir: site.siteDir },
    listed: listed.map(({ path }) => ({ path, modifiedAt })),
    pictures: [...new Map(pictures.map((picture) => [picture.path, picture])).values()],
  })
}
