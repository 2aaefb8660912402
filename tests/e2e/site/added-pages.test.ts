import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { App } from '#src/app.ts'
import { pageFile } from '#src/publish/release/page-file.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { checkAccessibility, checkEveryLook } from '../../support/accessibility.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { startFront } from '../../support/front.ts'
import { htmlErrors, nuErrors, withoutJava } from '../../support/html-validators.ts'
import { readSitePages } from '../../support/site-pages.ts'
import { addEntry, addProjects, offer } from '../../support/small-site.ts'
import { isSoak } from '../../support/soak.ts'

/** Archives of a taxonomy, and a type with its own fields. */
const ADDED = ['/taxonomy/locations', '/taxonomy/locations/austin', '/projects/2026/school-roof']

test('pages that an administrator adds are valid and accessible in every look, however long a word is', async (t) => {
  const { app, url } = await startFront(t, { prepare: addTypeAndArchive })
  const siteDir = join(app.config.dataDir, 'current', 'site')
  const pages = readSitePages(siteDir)
  for (const path of ADDED) assert.deepEqual(await htmlErrors(pages.get(path) ?? ''), [], path)
  if (isSoak && !withoutJava())
    assert.deepEqual(nuErrors(ADDED.map((path) => join(siteDir, pageFile(path)))), [])
  const page = await openPage(t, await openBrowser(), {})
  for (const path of ADDED) {
    assert.equal((await page.goto(url + path))?.status(), 200, path)
    await checkEveryLook(page)
  }

  await t.test('the call bar covers no link of the first screen at any height', async (t) => {
    const page = await openPage(t, await openBrowser(), { viewport: { width: 412, height: 900 } })
    await page.goto(`${url}/taxonomy/locations/austin`)
    const link = await page.getByRole('link', { name: 'AC repair in Austin' }).boundingBox()
    assert.ok(link)
    for (let below = 60; below <= 120; below += 6) {
      await page.setViewportSize({ width: 412, height: Math.round(link.y) + below })
      await checkAccessibility(page, ['target-size'])
    }
    const bar = page.getByRole('complementary', { name: 'Contact' })
    await page.mouse.wheel(0, 300)
    await bar.waitFor()
  })
})

async function addTypeAndArchive({ db }: App) {
  const austin = await db
    .selectFrom('taxonomy_terms')
    .select(['slug', 'id'])
    .where('slug', '=', 'austin')
    .executeTakeFirstOrThrow()
  for (const slug of ['drains', 'heating', 'water-heaters']) {
    const id = await addEntry(db, 'services', { slug, title: slug })
    await offer(db, { slug, id }, austin)
  }
  const settings = { ...(await findSiteSettings(db)), phone: '+1 512 555 0142' }
  await saveSiteSettings(db, settings, { now: '2026-11-20T10:00:00.000Z' })
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
