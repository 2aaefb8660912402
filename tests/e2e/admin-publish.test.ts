import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkAccessibility } from '../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../support/admin.ts'
import { waitFor } from '../support/running-site.ts'

const PATIENCE_MS = 60_000

test('an edited setting is published at the press of a button, and taken back', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site)
  const siteName = async () =>
    (await (await fetch(`${site.url}/services`)).text()).match(/<title>([^<]*)/)?.[1]

  await page.goto('/admin/settings')
  await page.getByLabel('Name', { exact: true }).first().fill('Bluebonnet Home Services')
  const navigation = page.getByRole('group', { name: 'Navigation' })
  for (const [label, path] of [
    ['Services', '/services'],
    ['Start', '/'],
  ] as const) {
    await navigation.getByRole('button', { name: 'Add a link' }).click()
    await page.keyboard.type(label)
    await page.keyboard.press('Tab')
    await page.keyboard.type(path)
  }
  await navigation.getByRole('button', { name: 'Move this link up' }).last().click()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Save the settings' }).click()
  await page.getByText('Saved. Publish to show it to visitors.').waitFor()
  assert.equal(await navigation.getByLabel('Text, link 1').inputValue(), 'Start')
  assert.doesNotMatch((await siteName()) ?? '', /Bluebonnet/)

  await page.getByRole('link', { name: 'Publish' }).first().click()
  await page.getByText(/pages would change/).waitFor({ timeout: PATIENCE_MS })
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('heading', { name: 'Publishing' }).waitFor()
  await checkAccessibility(page)
  await page.getByText('The site shows all there is').waitFor({ timeout: PATIENCE_MS })
  await waitFor(async () => (await siteName())?.includes('Bluebonnet'), PATIENCE_MS)

  await page.getByRole('link', { name: 'Go back to this' }).click()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Show this release' }).click()
  await page.getByText('The site was rolled back.').waitFor()
  await waitFor(async () => !(await siteName())?.includes('Bluebonnet'), PATIENCE_MS)
})

test('without scripts an override of one place is published, and a visitor sees it', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site, { width: 390, javaScriptEnabled: false })
  await page.goto('/admin/entries/location_services?q=austin')
  await page.getByRole('link', { name: 'AC repair in Austin' }).click()
  await page.getByLabel('Heading').fill('Cool homes in Austin')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('has its own texts').waitFor()
  await page.goto('/admin/publish')
  await page.getByText(/pages? would change/).waitFor({ timeout: PATIENCE_MS })
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Visitors see the site as it was').waitFor()
  await page.getByText('visitors see this').waitFor({ timeout: PATIENCE_MS })
  await page.getByText('The site shows all there is').waitFor({ timeout: PATIENCE_MS })
  await page.goto('/services/ac-repair/austin')
  await page.getByRole('heading', { name: 'Cool homes in Austin' }).waitFor()
})
