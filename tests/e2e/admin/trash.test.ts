import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTerms } from '#src/entries/terms/add-terms.ts'
import { findForm } from '#src/forms/form-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { storeForm } from '../../support/forms.ts'
import { addEntry } from '../../support/small-site.ts'

const VISITS = [
  { width: 390, javaScriptEnabled: true },
  { width: 1280, javaScriptEnabled: false },
]

test('a person restores a page, a place, and a category from the trash, and an older version of a form', async (t) => {
  const site = await startAdmin(t, {
    async prepare({ db }) {
      await addEntry(db, 'pages', { slug: 'summer', title: 'Summer sale' })
      const clock = { now: new Date() }
      await addTerms(db, 'service_categories', { text: 'Cooling', parentId: null }, clock)
    },
  })
  for (const visit of VISITS) {
    await t.test(`at ${visit.width} pixels, script: ${visit.javaScriptEnabled}`, async (part) => {
      const page = await openAdminPage(part, site, visit)
      await page.goto('/admin/entries/pages')
      await page.getByRole('link', { name: 'Summer sale', exact: true }).click()
      await page.getByRole('link', { name: 'Delete', exact: true }).click()
      await page.getByText('You can restore deleted items from the trash for 30 days').waitFor()
      await page.getByRole('button', { name: 'Delete “Summer sale”' }).click()
      await page.getByText('“Summer sale” deleted').waitFor()
      await page.getByRole('button', { name: 'Undo' }).press('Enter')
      await page.getByText('“Summer sale” restored to Pages. The item is still on the site.').waitFor()
      await page.getByRole('link', { name: 'Open “Summer sale”' }).click()
      await page.getByRole('link', { name: 'Delete', exact: true }).click()
      await page.getByRole('button', { name: 'Delete “Summer sale”' }).click()
      await page.getByText('“Summer sale” deleted').waitFor()
      await page.goto('/admin/trash')
      assert.equal(await page.getByText('also restores').count(), 0, 'nothing is listed with it')
      await page.getByRole('heading', { name: 'Trash' }).waitFor()
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      await page.getByRole('button', { name: 'Restore Summer sale' }).click()
      await page.getByText('“Summer sale” restored').waitFor()
      await page.goto('/admin/trash')
      await page.getByText('The trash is empty').waitFor()
    })

    for (const [taxonomy, slug] of [
      ['locations', 'austin'],
      ['service_categories', 'cooling'],
    ] as const)
      await t.test(`restores ${slug} at ${visit.width} pixels`, async (part) => {
        const page = await openAdminPage(part, site, visit)
        const { id, name } = await site.app.db
          .selectFrom('taxonomy_terms')
          .select(['id', 'name'])
          .where('slug', '=', slug)
          .executeTakeFirstOrThrow()
        const term = `/admin/taxonomies/${taxonomy}/terms/${id}`
        await page.goto(term)
        await page.getByRole('link', { name: 'Delete', exact: true }).click()
        await page.getByRole('button', { name: /^Delete/ }).click()
        await page.getByText(`${name} deleted`).waitFor()
        await page.goto('/admin/trash')
        await page.getByRole('button', { name: `Restore ${name}` }).click()
        await page.getByText(new RegExp(`${name}” restored`)).waitFor()
        await page.goto(term)
        await page.getByRole('heading', { name }).first().waitFor()
      })

    await t.test(`restores a deleted form at ${visit.width} pixels`, async (part) => {
      await storeForm(site.app.db, 'callback', { name: 'Callback' })
      const page = await openAdminPage(part, site, visit)
      await page.goto('/admin/forms/callback')
      await page.getByRole('link', { name: 'Delete…' }).click()
      await page.getByText('You can restore deleted items from the trash for 30 days').waitFor()
      await page.getByRole('button', { name: /^Delete/ }).click()
      await page.waitForURL('**/admin/forms')
      await page.goto('/admin/trash')
      await page.getByRole('button', { name: 'Restore Callback' }).click()
      await page.getByRole('link', { name: 'Open “Callback”' }).click()
      await page.getByRole('heading', { name: 'Callback' }).first().waitFor()
      assert.equal((await findForm(site.app.db, 'callback'))?.status, 'active')
    })

    await t.test(`restores a form at ${visit.width} pixels`, async (part) => {
      const page = await openAdminPage(part, site, visit)
      await page.goto('/admin/forms/waitlist')
      await page.getByRole('button', { name: 'Take offline' }).click()
      await page.getByText('no longer accepts submissions').waitFor()
      await page.getByRole('link', { name: 'Versions' }).click()
      await page.getByRole('heading', { name: 'Versions' }).waitFor()
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      await page.getByRole('table').getByRole('link').nth(1).click()
      await page.getByRole('heading', { name: /^Version of / }).waitFor()
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      await page.getByRole('link', { name: 'Restore version' }).click()
      if (visit.javaScriptEnabled) await checkAccessibility(page)
      await page.getByRole('button', { name: 'Restore version' }).click()
      await page.getByText('restored. Visitors will see the change').waitFor()
      await page.getByRole('button', { name: 'Take offline' }).waitFor()
    })
  }
})
