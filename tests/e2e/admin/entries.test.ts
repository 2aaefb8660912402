import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findContentType } from '../../../src/entries/content-type-store.ts'
import { findEntry } from '../../../src/entries/entry-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { addPlaces } from '../../support/small-site.ts'

test('a person writes a service, offers it in a branch, overrides one place and sees both before they are public', async (t) => {
  const site = await startAdmin(t, { prepare: (app) => addPlaces(app.db, 'canada/ontario/toronto') })
  const page = await openAdminPage(t, site)
  const { db } = site.app

  await page.goto('/admin/entries')
  await checkAccessibility(page)
  await page.getByRole('link', { name: 'New entry in Services' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Roof repair')
  await page.getByLabel('Summary').fill('Dry again.')
  await page.getByLabel('Title, new').fill('We look')
  await page.getByLabel('Text, new').fill('From the ladder.')
  await page.locator('[name=body]').fill('## Slates\n\nWe **nail** them.')
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.frameLocator('iframe[name=preview]')
  await preview.getByRole('heading', { name: 'Slates' }).waitFor()
  await page.getByLabel('Title', { exact: true }).fill('Roof repairs')
  await preview.getByRole('heading', { name: 'Roof repairs' }).waitFor()
  await page.getByLabel('Title', { exact: true }).fill('Roof repair')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('"Roof repair" is saved.').waitFor()
  await checkAccessibility(page)

  await page.goto('/admin/coverage?branch=ontario')
  await page.getByText('Offer services in many places at once').click()
  await page.getByRole('checkbox', { name: 'Roof repair' }).check()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'See what it does' }).click()
  await page.getByText('2 appear:').waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Offer Roof repair in all of Ontario' }).click()
  await page.getByText('Done: 2 pages appear and 0 go').waitFor()
  await page.getByRole('link', { name: 'Roof repair in Toronto: offered' }).click()

  await page.getByLabel('Phone').fill('(416) 555-0100')
  await page.getByLabel('Heading').fill('Roofs of Toronto')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.frameLocator('iframe[name=preview]').getByRole('heading', { name: 'Roofs of Toronto' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('has its own texts').waitFor()
  await page.goto('/admin/coverage?branch=ontario')
  await page.getByRole('link', { name: 'Roof repair in Toronto: offered with its own texts' }).waitFor()

  const type = await findContentType(db, 'location_services')
  const entry = await findEntry(db, type?.id ?? 0, 'roof-repair/toronto')
  assert.equal(entry?.data.phone, '(416) 555-0100')
  const service = await findEntry(db, (await findContentType(db, 'services'))?.id ?? 0, 'roof-repair')
  assert.deepEqual(service?.data.steps, [{ title: 'We look', text: 'From the ladder.' }])
  assert.deepEqual(service?.data.offered_in, ['ontario/**'])
})

test('without a script, on a small dark screen, an override is reset and a list is filtered', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site, { width: 390, colorScheme: 'dark', javaScriptEnabled: false })
  await page.goto('/admin/entries/location_services?q=austin')
  await page.getByRole('link', { name: 'AC repair in Austin' }).click()
  await page.getByLabel('City').fill('ATX')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('has its own texts').waitFor()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.frameLocator('iframe[name=preview]').getByText('ATX').first().waitFor()
  await page.getByRole('button', { name: 'Reset to what it inherits' }).click()
  assert.equal(await page.getByLabel('City').inputValue(), '')
  await page.getByRole('link', { name: "Reset all to the service's" }).click()
  await page.getByRole('button', { name: "Reset all to the service's" }).click()
  await page.getByText('all inherited').waitFor()
  await page.goto('/admin/coverage')
  await page.getByRole('link', { name: /Texas: .*, 1 offered/ }).waitFor()
})

test('the dashboard and the content types have nothing that axe finds, empty and filled', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site, { width: 390 })
  await page.goto('/admin')
  await page.getByText('No submissions in the last 30 days.').waitFor()
  await checkAccessibility(page)
  const submitted_at = new Date().toISOString()
  await site.app.db.insertInto('form_submissions').values({ form_id: 1, submitted_at }).execute()
  await page.reload()
  await page.getByText('1 in 30 days, 1 today (UTC).').waitFor()
  await page.getByText('The figures as a table').first().click()
  await checkAccessibility(page)
  for (const path of ['/admin/content-types', '/admin/content-types/new', '/admin/content-types/services']) {
    await page.goto(path)
    await checkAccessibility(page)
  }
})
