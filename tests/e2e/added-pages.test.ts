import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { App } from '../../src/app.ts'
import { pageFile } from '../../src/publish/page-file.ts'
import { checkEveryLook } from '../support/accessibility.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { startFront } from '../support/front.ts'
import { hasJava, htmlErrors, nuErrors } from '../support/html-validators.ts'
import { readSitePages } from '../support/site-pages.ts'
import { addEntry, addProjects } from '../support/small-site.ts'
import { isSoak } from '../support/soak.ts'

/** Archives of a taxonomy, and a type with fields of its own. */
const ADDED = ['/taxonomy/locations', '/taxonomy/locations/austin', '/projects/2026/school-roof']

test('pages that an administrator adds are valid and accessible in every look, however long a word is', async (t) => {
  const { app, url } = await startFront(t, { prepare: addTypeAndArchive })
  const siteDir = join(app.config.dataDir, 'current', 'site')
  const pages = readSitePages(siteDir)
  for (const path of ADDED) assert.deepEqual(await htmlErrors(pages.get(path) ?? ''), [], path)
  if (isSoak && hasJava()) assert.deepEqual(nuErrors(ADDED.map((path) => join(siteDir, pageFile(path)))), [])
  const page = await openPage(t, await openBrowser(), {})
  for (const path of ADDED) {
    assert.equal((await page.goto(url + path))?.status(), 200, path)
    await checkEveryLook(page)
  }
})

async function addTypeAndArchive({ db }: App) {
  await db.updateTable('taxonomies').set({ has_archive: 1 }).where('slug', '=', 'locations').execute()
  await addProjects(
    db,
    { key: 'client', label: 'Client', type: 'text' },
    { key: 'website', label: 'Website', type: 'url' },
  )
  await addEntry(db, 'projects', {
    slug: '2026/school-roof',
    title: 'Roof of the Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtenschule',
    body: 'A roof of **metal**.\n\n| Part | Weeks |\n| --- | --- |\n| Tear-off | 1 |\n| New roof | 3 |',
    data: { client: 'City of Austin', website: 'https://example.com/school' },
  })
}
