import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { changeSiteSettings } from '#src/site/settings/change-site-settings.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { waitFor } from '../../support/running-site.ts'
import { draftEntry, editEntry } from '../../support/small-edits.ts'
import { addEntry } from '../../support/small-site.ts'

const WIDTHS = [390, 1280]

test('a person saves a draft, uses it, and restores an older text', async (t) => {
  const environment = { CONTENT_DIR: temporaryFolder(t) }
  const site = await startAdmin(t, { environment, prepare: addPage })
  for (const width of WIDTHS) {
    await t.test(`at ${width} pixels`, async (part) => {
      const page = await openAdminPage(part, site)
      await page.setViewportSize({ width, height: 900 })
      await walk(page, site, `At ${width}`)
    })
  }

  await t.test('times are in the site’s time zone, whatever the browser’s', async (part) => {
    const { db, siteLocale } = site.app
    await changeSiteSettings(db, { changes: { time_zone: 'Asia/Tokyo' } }, { now: new Date() })
    await waitFor(() => siteLocale.current().timeZone === 'Asia/Tokyo', 10_000)
    const { id, path } = await pageOf(site)
    await draftEntry(db, id, { title: 'Not yet' })
    const page = await openAdminPage(part, site, { timezoneId: 'America/New_York' })
    await page.goto(path)
    await page.getByText(/Nov 20, 2026, 9:00 PM GMT\+9/).waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('link', { name: /^Nov 20, (2026, )?9:00 PM$/ }).waitFor()
    await page.goto(path)
    await page.getByRole('button', { name: 'Discard draft' }).click()
    await page.getByText('discarded').waitFor()
  })

  await t.test('a person publishes one of two changes', async (part) => {
    const page = await openAdminPage(part, site, { width: 390 })
    const { id } = await pageOf(site)
    await editEntry(site.app.db, id, { body: 'We are not published yet.' })
    await editEntry(site.app.db, await addEntry(site.app.db, 'pages', { slug: 'team', title: 'Team' }), {
      body: 'Ada answers the phone.',
    })
    await page.goto('/admin/publish')
    await page.getByRole('link', { name: 'Select changes' }).click()
    await page.getByRole('link', { name: 'Versions of About us' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select Team' }).check()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Publish selected changes' }).click()
    await page.getByText('Publishing 1 change.').waitFor()
    await waitFor(() => !site.app.publishing.isRunning(), 60_000)
    const live = async (path: string) => (await fetch(site.url + path)).text()
    assert.match(await live('/team'), /Ada answers the phone/)
    assert.doesNotMatch(await live('/about'), /not published yet/)
  })

  await t.test('a person settles conflicts with files, field by field and with the file', async (part) => {
    await makeConflicts(site, ['hours', 'prices'])
    const page = await openAdminPage(part, site)
    await page.goto('/admin')
    await page.getByRole('link', { name: /^Compare versions/ }).click()
    const card = (slug: string) => page.getByRole('region', { name: `Admin ${slug}` })
    await checkAccessibility(page)
    await card('hours').getByRole('checkbox', { name: 'Use the file value for Title' }).check()
    await card('hours').getByRole('button', { name: 'Save selected fields' }).click()
    await card('hours').waitFor({ state: 'detached' })
    await card('prices').getByRole('button', { name: 'Use file version' }).click()
    await page.getByText('No errors or conflicts').waitFor()
    const stored = await site.app.db
      .selectFrom('content_entries')
      .select(['title', 'body'])
      .where('slug', 'in', ['hours', 'prices'])
      .orderBy('slug')
      .execute()
    assert.deepEqual(stored, [
      { title: 'File hours', body: 'Of the admin.' },
      { title: 'File prices', body: 'Of the file.' },
    ])
  })
})

async function addPage(app: AdminSite['app']) {
  const body = 'We are a family business in Austin, and we answer the phone ourselves every day.'
  await addEntry(app.db, 'pages', { slug: 'about', title: 'About us', body })
}

async function walk(page: Page, site: AdminSite, title: string) {
  const { id, path } = await pageOf(site)
  const before = await storedTitle(site)
  await page.goto(path)
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page
    .locator('[name=body]')
    .fill('We are a team in Austin, and we answer the phone ourselves every day.')
  if (!(await page.getByRole('button', { name: 'Save as draft' }).isVisible()))
    await page.getByLabel('More actions').click()
  await page.getByRole('button', { name: 'Save as draft' }).click()
  await page.getByText('This is a draft. Visitors still see the live version.').waitFor()
  await checkAccessibility(page)
  assert.equal(await storedTitle(site), before, 'visitors keep the live page')
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), title)

  await page.getByRole('link', { name: 'See changes' }).click()
  await page.getByRole('heading', { name: 'Changes from the previous version' }).waitFor()
  await checkAccessibility(page)
  await page.goto(path)
  await page.getByRole('button', { name: 'Add to next publish' }).click()
  await page.getByText('added to the next publish').waitFor()
  assert.equal(await storedTitle(site), title)

  await page.getByRole('link', { name: 'Versions' }).click()
  await page.getByRole('heading', { name: 'Versions' }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('table').getByRole('link').last().click()
  await page.getByRole('link', { name: 'Compare with the current version' }).click()
  await page.locator('ins, del').first().waitFor()
  await checkAccessibility(page)
  const shown = await page.context().request.get(`${await versionAddress(page)}/page`)
  assert.match(await shown.text(), /We are a family business/)
  await page.getByRole('link', { name: 'Restore version' }).click()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Restore selected values' }).click()
  await page.getByText('restored').waitFor()
  assert.equal(await storedTitle(site), 'About us')
  assert.ok(id)
}

// Pages whose title and text changed in the file and in the admin.
async function makeConflicts({ app }: AdminSite, slugs: readonly string[]) {
  const { db, config, secretBox } = app
  const { contentDir } = config
  const write = (side: string) => {
    for (const slug of slugs)
      writeFileSync(
        join(contentDir, `pages/${slug}.md`),
        `---\ntitle: ${side} ${slug}\n---\n\nOf the ${side.toLowerCase()}.\n`,
      )
  }
  const pictureFiles = openPictureFiles(contentDir)
  const sync = () =>
    syncContent(db, {
      ...{ contentDir, pictureFiles, secretBox, environment: {} },
      ...{ now: new Date(), prefer: undefined },
    })
  mkdirSync(join(contentDir, 'pages'), { recursive: true })
  write('First')
  await sync()
  for (const slug of slugs) {
    const changed = { title: `Admin ${slug}`, body: 'Of the admin.' }
    await db.updateTable('content_entries').set(changed).where('slug', '=', slug).execute()
  }
  write('File')
  assert.equal((await sync()).kind, 'conflicts')
}

async function versionAddress(page: Page) {
  return page.url().replace(/\?.*/, '')
}

async function pageOf({ app }: AdminSite) {
  const type = await findContentType(app.db, 'pages')
  const entry = type && (await findEntry(app.db, type.id, 'about'))
  assert.ok(entry)
  return { id: entry.id, entry, path: `/admin/entries/pages/${entry.id}` }
}

async function storedTitle(site: AdminSite) {
  return (await pageOf(site)).entry.title
}
