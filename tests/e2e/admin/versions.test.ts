import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { addEntry } from '../../support/small-site.ts'

const WIDTHS = [390, 1280]

test('a person saves a draft, uses it, and restores an older text', async (t) => {
  const site = await startAdmin(t, { prepare: addPage })
  for (const width of WIDTHS) {
    await t.test(`at ${width} pixels`, async (part) => {
      const page = await openAdminPage(part, site)
      await page.setViewportSize({ width, height: 900 })
      await walk(page, site, `At ${width}`)
    })
  }
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
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('This is a draft. Visitors still see the live version.').waitFor()
  await checkAccessibility(page)
  assert.equal(await storedTitle(site), before, 'visitors keep the live page')
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), title)

  await page.getByRole('link', { name: 'See changes' }).click()
  await page.getByRole('heading', { name: 'Changes from the previous version' }).waitFor()
  await checkAccessibility(page)
  await page.goto(path)
  await page.getByRole('button', { name: 'Add to next publish' }).click()
  await page.getByText('after the next publish').waitFor()
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
  await page.getByRole('button', { name: 'Restore version' }).click()
  await page.getByText('restored').waitFor()
  assert.equal(await storedTitle(site), 'About us')
  assert.ok(id)
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
