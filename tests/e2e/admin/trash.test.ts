import { test } from 'node:test'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { addEntry } from '../../support/small-site.ts'

const VISITS = [
  { width: 390, javaScriptEnabled: true },
  { width: 1280, javaScriptEnabled: false },
]

test('a person restores a page from the trash, and an older version of a form', async (t) => {
  const site = await startAdmin(t, {
    prepare: (app) => addEntry(app.db, 'pages', { slug: 'summer', title: 'Summer sale' }),
  })
  for (const visit of VISITS) {
    await t.test(`at ${visit.width} pixels, script: ${visit.javaScriptEnabled}`, async (part) => {
      const page = await openAdminPage(part, site, visit)
      await page.goto('/admin/entries/pages')
      await page.getByRole('link', { name: 'Summer sale' }).click()
      await page.getByRole('link', { name: 'Delete', exact: true }).click()
      await page.getByText('You can restore it from the trash for 30 days').waitFor()
      await page.getByRole('button', { name: 'Delete "Summer sale"' }).click()
      await page.getByText('"Summer sale" deleted').waitFor()
      await page.goto('/admin/trash')
      await page.getByRole('heading', { name: 'Trash' }).waitFor()
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      await page.getByRole('button', { name: 'Restore Summer sale' }).click()
      await page.getByText('"Summer sale" restored').waitFor()
      await page.goto('/admin/trash')
      await page.getByText('The trash is empty').waitFor()
    })

    await t.test(`restores a form at ${visit.width} pixels`, async (part) => {
      const page = await openAdminPage(part, site, visit)
      await page.goto('/admin/forms/waitlist')
      await page.getByRole('button', { name: 'Take offline' }).click()
      await page.getByText('no longer accepts answers').waitFor()
      await page.getByRole('link', { name: 'Versions' }).click()
      await page.getByRole('heading', { name: 'Versions' }).waitFor()
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      await page.getByRole('table').getByRole('link').nth(1).click()
      await page.getByRole('heading', { name: /^Version of / }).waitFor()
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      await page.getByRole('button', { name: 'Restore version' }).click()
      await page.getByText('restored. Visitors see it').waitFor()
      await page.getByRole('button', { name: 'Take offline' }).waitFor()
    })
  }
})
