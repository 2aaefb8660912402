import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findEntry } from '#src/entries/entry-store.ts'
import { findContentType } from '#src/entries/types/content-type-store.ts'
import { findForm } from '#src/forms/form-store.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
}

test('the editors help with choosing, naming, and ordering', async (t) => {
  const site = await startAdmin(t)
  const { db } = site.app
  const service = async () => findEntry(db, (await findContentType(db, 'services'))?.id ?? 0, 'ac-repair')

  for (const width of [390, 1280])
    await t.test(`places are selected in a tree, by keyboard and search, at ${width} px`, async (t) => {
      const page = await openAdminPage(t, site, { width })
      await page.goto('/admin/entries/services/1')
      const patterns = page.locator('textarea[name=offered_in]')
      const tree = page.getByRole('group', { name: 'Offered in' })
      await tree.getByRole('status').waitFor()
      assert.equal(await patterns.isVisible(), false, 'patterns are for experts')
      assert.equal(await isTooWide(page), false)
      await checkAccessibility(page)
      const [first] = await tree.getByRole('checkbox').all()
      // Some of its places are ticked: a first click ticks all.
      await first?.setChecked(true)
      await first?.setChecked(false)
      assert.match((await tree.getByRole('status').textContent()) ?? '', /^Offered in 0 of /)
      await tree.getByRole('searchbox').fill('AUSTIN')
      await tree.getByRole('checkbox', { name: /^Austin/ }).press('Space')
      assert.match((await tree.getByRole('status').textContent()) ?? '', /^Offered in 1 of /)
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('“AC repair” saved.').waitFor()
      assert.match(String((await service())?.data.offered_in), /austin/)
    })

  for (const path of ['/admin/entries/services/1', '/admin/entries/testimonials/new', '/admin/settings'])
    await t.test(`on a phone the other actions of ${path} open within the screen`, async (t) => {
      const page = await openAdminPage(t, site, { width: 390 })
      await page.goto(path)
      await page.getByLabel('More actions').click()
      const action = page.locator('details.phone-menu[open] :is(a, button)').last()
      const box = await action.boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y >= 0, JSON.stringify(box))
      assert.equal(await isTooWide(page), false)
      await checkAccessibility(page)
    })

  for (const [path, label] of [
    ['/admin/home', 'Hero picture'],
    ['/admin/settings', 'Logo for dark backgrounds'],
  ] as const)
    await t.test(`on a tablet ${path} has room for the name of a picture`, async (t) => {
      const page = await openAdminPage(t, site, { width: 1024 })
      await page.goto(path)
      const box = await page.getByRole('combobox', { name: label }).boundingBox()
      assert.ok(box && box.width > 100, JSON.stringify(box))
      assert.equal(await isTooWide(page), false)
    })

  await t.test('without a script places are patterns', async (t) => {
    const page = await openAdminPage(t, site, { javaScriptEnabled: false })
    await page.goto('/admin/entries/services/1')
    await page.getByLabel('Offered in').fill('texas/**')
    await page.getByRole('button', { name: 'Save for next publish' }).last().click()
    assert.deepEqual((await service())?.data.offered_in, ['texas/**'])
  })

  await t.test('keys follow labels until edited; choices are rows', async (t) => {
    const page = await openAdminPage(t, site, { width: 390 })
    await page.goto('/admin/entries/pages/new')
    const slug = page.locator('input[name=slug]')
    await page.getByLabel('Title').fill('Café & Bar')
    assert.equal(await slug.inputValue(), 'cafe-bar')
    await slug.fill('bar')
    await page.getByLabel('Title').fill('Café')
    assert.equal(await slug.inputValue(), 'bar')

    await page.goto('/admin/forms/waitlist/fields/new')
    await Promise.all([
      page.waitForEvent('load'),
      page.getByLabel('Answer type').selectOption({ value: 'select' }),
    ])
    await page.getByLabel('Question').fill('How urgent is it?')
    await page.getByRole('button', { name: 'Add choice' }).click()
    await page.getByLabel('Choice 1: label').fill('Today, please')
    await page.getByRole('button', { name: 'Add choice' }).click()
    await page.getByLabel('Choice 2: label').fill('Later')
    await page.getByLabel('Choice 2: stored value').fill('2')
    await page.getByRole('button', { name: 'Move this choice up' }).last().click()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Add question' }).last().click()
    await page.getByText('Question “How urgent is it?” added.').waitFor()
    const added = (await findForm(db, 'waitlist'))?.fields.find(({ name }) => name === 'how_urgent_is_it')
    assert.deepEqual(added?.options, [
      { label: 'Later', value: '2' },
      { label: 'Today, please', value: 'today-please' },
    ])
  })

  await t.test('rules are added, moved, and removed without loading the page', async (t) => {
    const page = await openAdminPage(t, site)
    await page.goto('/admin/forms/waitlist/webhooks/new')
    await page.getByLabel('Leads that match all of these conditions').check()
    await page.getByLabel('Condition 1: operator').selectOption({ label: 'is empty' })
    assert.equal(await page.getByLabel('Condition 1: value').isVisible(), false)
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByLabel('Condition 2: value').fill('second')
    await page.getByRole('button', { name: 'Move this condition up' }).last().click()
    assert.equal(await page.getByLabel('Condition 1: value').inputValue(), 'second')
    await page.getByRole('button', { name: 'Remove this condition' }).last().click()
    assert.equal(await page.getByLabel('Condition 2: value').count(), 0)
    await checkAccessibility(page)
  })

  await t.test('a color shows its contrast before it is saved', async (t) => {
    const page = await openAdminPage(t, site)
    await page.goto('/admin/settings')
    await page.getByText('Colors', { exact: true }).click()
    const primary = page.locator('[data-color="theme.colors.primary"]')
    await primary.locator('input[type=text]').fill('#ffc53d')
    assert.match((await primary.getByRole('status').textContent()) ?? '', /Hard to read: at least 4.5/)
    await primary.locator('input[type=color]').fill('#245c3c')
    assert.equal(await primary.locator('input[type=text]').inputValue(), '#245c3c')
    assert.match((await primary.getByRole('status').textContent()) ?? '', /Readable/)
    await checkAccessibility(page)
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Settings saved').waitFor()
    assert.equal((await findSiteSettings(db)).theme.colors?.primary, '#245c3c')
  })
})
