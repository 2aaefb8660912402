import { test } from 'node:test'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { addEntry } from '../../support/small-site.ts'

const VISITS = [
  { width: 390, javaScriptEnabled: true },
  { width: 1280, javaScriptEnabled: false },
]

test('a person deletes a page and restores it from the trash', async (t) => {
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
  }
})
