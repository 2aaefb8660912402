import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PAGE_SECTIONS } from '#src/entries/types/page-sections.ts'
import { findSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { addEntry } from '../../support/small-site.ts'

const prepare = ({ db }: AdminSite['app']) => addEntry(db, 'services', { slug: 'drains', title: 'Drains' })

async function open(
  t: TestContext,
  site: AdminSite,
  options: Parameters<typeof openAdminPage>[2],
  path: string,
) {
  const page = await openAdminPage(t, site, options)
  page.setDefaultTimeout(10_000)
  await page.goto(path)
  return page
}

const titlesOf = (page: Page, list: string) =>
  page.getByRole('list', { name: list }).getByRole('listitem').allInnerTexts()

async function storedData({ app }: AdminSite, slug: string) {
  const { data_json } = await app.db
    .selectFrom('content_entries')
    .select('data_json')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  return JSON.parse(data_json)
}

test('sections and services are put in order', async (t) => {
  const site = await startAdmin(t, { prepare })

  await t.test('a home page section is moved by keyboard and another one turned off', async (t) => {
    const page = await open(t, site, { width: 390, colorScheme: 'dark' }, '/admin/home')
    const home = page.getByRole('list', { name: 'Home page' })
    await home.getByRole('button', { name: 'Move Questions and answers up' }).focus()
    for (let times = 1; times < PAGE_SECTIONS.home.length; times++) await page.keyboard.press('Enter')
    assert.match((await titlesOf(page, 'Home page'))[0] ?? '', /Questions and answers/)
    await home.getByRole('checkbox', { name: 'Reviews' }).uncheck()
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Save for next publish' }).click()
    await page.getByText('Home page saved.').waitFor()
    const { sections } = await findSiteSettings(site.app.db)
    assert.deepEqual(sections, {
      home: ['faq', ...PAGE_SECTIONS.home.filter((name) => name !== 'faq' && name !== 'reviews')],
    })
  })

  await t.test('a service has its own sections, which the preview shows at once', async (t) => {
    const page = await open(t, site, {}, '/admin/entries/services/1')
    await page.locator('textarea[name=body]').waitFor()
    const preview = page.frameLocator('iframe[name=preview]')
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByLabel('Title 1').fill('We look')
    await page.getByLabel('Text 1').fill('From the ladder.')
    await preview.getByRole('heading', { name: 'How it works' }).waitFor()
    await page.getByRole('checkbox', { name: 'Customize sections for this page' }).check()
    await page.getByRole('checkbox', { name: 'Steps' }).uncheck()
    await preview.getByRole('heading', { name: 'How it works' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save for next publish' }).click()
    await page.getByText('“AC repair” saved.').waitFor()
    assert.deepEqual((await storedData(site, 'ac-repair')).sections, [
      'before_after',
      'gallery',
      'places',
      'reviews',
      'faq',
    ])
    // A section that is turned off keeps its place.
    assert.match((await titlesOf(page, 'Sections'))[0] ?? '', /Steps/)
    await page.getByRole('checkbox', { name: 'Customize sections for this page' }).uncheck()
    await page.getByRole('button', { name: 'Save for next publish' }).click()
    await page.getByText('“AC repair” saved.').waitFor()
    assert.equal((await storedData(site, 'ac-repair')).sections, undefined)
  })

  await t.test('without a script services are ordered by number', async (t) => {
    const page = await open(t, site, { javaScriptEnabled: false, width: 390 }, '/admin/entries/services')
    await page.getByText('Menus and lists on the site use this order.').waitFor()
    await page.getByRole('button', { name: 'Move Drains up' }).click()
    await page.getByText('Order saved.').waitFor()
    assert.deepEqual(await page.locator('tbody th a').allInnerTexts(), ['Drains', 'AC repair'])
    await page.getByRole('button', { name: 'Move Drains down' }).click()
    await page.getByText('Order saved.').waitFor()
    assert.equal((await storedData(site, 'drains')).position, 20)
    await page.getByRole('link', { name: 'Change order' }).click()
    await page.getByRole('spinbutton', { name: 'Position of Drains' }).fill('0')
    await page.getByRole('button', { name: 'Save order' }).click()
    await page.getByText('Order saved.').waitFor()
    assert.equal((await storedData(site, 'drains')).position, 10)
    assert.equal((await storedData(site, 'ac-repair')).position, 20)
  })

  await t.test('with a script services are dragged', async (t) => {
    const page = await open(t, site, {}, '/admin/entries/services/order')
    assert.match((await titlesOf(page, 'Services'))[0] ?? '', /Drains/)
    const handles = page.locator('[data-ordered-handle]')
    const [from, to] = await Promise.all([handles.nth(1).boundingBox(), handles.nth(0).boundingBox()])
    assert.ok(from && to)
    await page.mouse.move(from.x + 5, from.y + 5)
    await page.mouse.down()
    await page.mouse.move(to.x + 5, to.y + 4, { steps: 12 })
    await page.mouse.move(to.x + 5, to.y - 4, { steps: 6 })
    await page.mouse.up()
    await page.waitForFunction(() =>
      /AC repair/.test(document.querySelector('[data-ordered] li')?.textContent ?? ''),
    )
    await checkAccessibility(page)
    await page.getByRole('button', { name: 'Save order' }).click()
    await page.getByText('Order saved.').waitFor()
    assert.equal((await storedData(site, 'ac-repair')).position, 10)
  })
})
