import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withFileLock } from '#src/db/file-lock.ts'
import { publishLock } from '#src/publish/publish-lock.ts'
import { openAdminPage, startAdmin } from '#tests/support/admin.ts'
import { openBrowser, openPage } from '#tests/support/browser.ts'
import { waitFor } from '#tests/support/running-site.ts'
import { addEntry } from '#tests/support/small-site.ts'

for (const width of [390, 1280])
  test(`an editor shares the next site, and someone else compares and approves it, at ${width} px`, async (t) => {
    const site = await startAdmin(t)
    const { db } = site.app
    await addEntry(db, 'pages', { slug: 'about', title: 'About us' })
    await db
      .updateTable('content_entries')
      .set({ title: 'Cooling' })
      .where('slug', '=', 'ac-repair')
      .execute()
    const admin = await openAdminPage(t, site, { width })
    await admin.goto('/admin/publish')
    await admin.getByRole('link', { name: 'Preview links' }).click()
    await admin.getByRole('button', { name: 'Create preview link' }).click()
    await admin.getByText('You won’t get an email').waitFor()
    await admin.getByText('The link opens only on this computer.').waitFor()
    await admin.context().grantPermissions(['clipboard-write'])
    await admin.getByRole('button', { name: 'Copy link' }).click()
    await admin.getByRole('button', { name: 'Copied' }).waitFor()
    const link = await admin.getByLabel('Preview link', { exact: true }).inputValue()
    await admin.reload()
    const links = admin.getByRole('list', { name: 'Preview links, newest first' })
    assert.equal(await links.getByRole('listitem').count(), 1)
    assert.equal(await admin.getByLabel('Preview link', { exact: true }).count(), 0)

    const colorScheme = width === 390 ? 'dark' : 'light'
    const browser = await openBrowser()
    const client = await openPage(t, browser, { viewport: { width, height: 900 }, colorScheme })
    await client.goto(link)
    const service = client.getByRole('listitem').filter({ hasText: 'Cooling Service' })
    await service.getByRole('link', { name: 'Compare with the live page' }).click()
    await client
      .frameLocator('[title="New page"]')
      .getByRole('heading', { name: 'Cooling', level: 1 })
      .waitFor()
    // A phone shows one of them at a time.
    const choice = client.getByRole('radio', { name: 'Live page' })
    assert.equal(await choice.isVisible(), width === 390)
    if (width === 390) await choice.check()
    await client
      .frameLocator('[title="Live page"]')
      .getByRole('heading', { name: 'AC repair', level: 1 })
      .waitFor()
    assert.equal(await client.locator('[title="New page"]').isVisible(), width !== 390)
    const overflow = await client.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(overflow <= 0, `${overflow} px too wide`)
    await client.getByRole('link', { name: 'Back to the preview' }).click()
    await client.getByLabel('Your name').fill('Carl Client')
    await client.getByLabel('Note').fill('Please add our new number.')
    await client.getByRole('button', { name: 'Request changes' }).click()
    await client.getByText('Thank you. Your request was sent.').waitFor()
    await client.goto(link)
    await client.getByText('Carl Client requested changes:').waitFor()
    await client.getByText('Please add our new number.').waitFor()
    await client.getByLabel('Your name').fill('Cleo Client')
    await client.getByRole('button', { name: 'Approve these pages' }).click()
    await client.getByText('Thank you. Your approval was sent.').waitFor()
    await client.goto(link)
    await client.getByText('Cleo Client approved these pages.').waitFor()

    await admin.goto('/admin/publish/previews')
    await admin.getByText('by Cleo Client').waitFor()
    await admin.getByText('Please add our new number.').waitFor()
    await admin.getByRole('button', { name: 'Publish approved pages' }).click()
    await admin.getByText('Publishing the approved pages.').waitFor()
    await waitFor(async () => !site.app.publishing.isRunning(), 60_000)
    assert.match(await (await fetch(`${site.url}/services/ac-repair`)).text(), /Cooling/)
  })

test('a new link’s page says when the link works, without a reload', async (t) => {
  const site = await startAdmin(t)
  await addEntry(site.app.db, 'pages', { slug: 'about', title: 'About us' })
  const admin = await openAdminPage(t, site, { width: 1280 })
  await admin.goto('/admin/publish/previews')
  // The preview waits for its turn.
  await withFileLock(publishLock(site.app.config.dataDir), async () => {
    await admin.getByRole('button', { name: 'Create preview link' }).click()
    await admin.getByText('The link will work when every page is ready.').waitFor()
  })
  await admin.locator('[data-link-state]', { hasText: 'The link is ready.' }).waitFor({ timeout: 60_000 })
  assert.equal(await admin.getByText('The link will work').count(), 0)
  await admin.getByLabel('Preview link', { exact: true }).waitFor()
})
