import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findEntryById } from '#src/entries/entry-lookup-store.ts'
import type { SchemaField } from '#src/entries/types/schema-field.ts'
import { addPicture } from '#src/pictures/add-picture.ts'
import { listPictures } from '#src/pictures/picture-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPhoto } from '../../support/photos.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry, addProjects } from '../../support/small-site.ts'

const FIELDS: SchemaField[] = [
  { key: 'cover', label: 'Cover', type: 'picture' },
  { key: 'photos', label: 'Photos', type: 'pictures' },
]
const COLORS = { 'van.jpg': '#2f42a5', 'roof.jpg': '#a52f42', 'team.jpg': '#42a52f' }
const UNDESCRIBED = { 'gate.jpg': '#a5a52f' }

async function aSiteWithPictures(t: TestContext) {
  const site = await startAdmin(t)
  const folder = temporaryFolder(t)
  for (const [name, color] of Object.entries({ ...COLORS, ...UNDESCRIBED })) {
    const path = join(folder, name)
    writeFileSync(path, await aPhoto({ color }))
    // `undefined` for the one that nobody described.
    const alt = name === 'gate.jpg' ? undefined : 'Our work'
    await addPicture(
      site.app.db,
      site.app.pictureFiles,
      { path, name, alt },
      { now: new Date().toISOString() },
    )
  }
  await addProjects(site.app.db, ...FIELDS)
  return site
}

async function aProject({ app: { db } }: AdminSite, slug: string) {
  const id = await addEntry(db, 'projects', { slug, title: 'Loft' })
  return {
    path: `/admin/entries/projects/${id}`,
    stored: async () => (await findEntryById(db, id))?.data ?? {},
  }
}

async function save(page: Page) {
  await page.getByRole('button', { name: 'Save for next publish' }).click()
  await page.getByText('“Loft” saved.').waitFor()
}

test('pictures are chosen in the editor', async (t) => {
  const site = await aSiteWithPictures(t)

  for (const width of [390, 1280])
    await t.test(`by search and keyboard, at ${width} px`, async (t) => {
      const { path, stored } = await aProject(site, `2026/w${width}`)
      const page = await openAdminPage(t, site, { width, colorScheme: width === 390 ? 'dark' : 'light' })
      await page.goto(path)
      await page.getByRole('button', { name: 'Choose picture: Cover' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Choose a picture' })
      await dialog.getByRole('radio', { name: 'van.jpg' }).waitFor()
      await checkAccessibility(page)
      await page.keyboard.type('roof')
      await dialog.getByRole('radio', { name: 'van.jpg' }).waitFor({ state: 'detached' })
      await dialog.getByRole('radio', { name: 'roof.jpg' }).press('Space')
      await page.keyboard.press('Enter')
      assert.equal(await page.getByRole('combobox', { name: 'Cover' }).inputValue(), 'roof.jpg')
      await save(page)
      assert.equal((await stored()).cover, 'roof.jpg')
      const remove = page.getByRole('button', { name: 'Remove picture: Cover' })
      await remove.click()
      await remove.waitFor({ state: 'hidden' })
      await save(page)
      assert.equal((await stored()).cover, undefined)
    })

  await t.test('the preview shows a service’s hero, and its focal point is one link away', async (t) => {
    const page = await openAdminPage(t, site)
    await page.goto('/admin/entries/services/1')
    await page.getByRole('button', { name: 'Choose picture: Hero picture' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose a picture' })
    await dialog.getByRole('radio', { name: 'van.jpg' }).check()
    await dialog.getByRole('button', { name: 'Use picture' }).click()
    const preview = page.frameLocator('iframe[name=preview]')
    const hero = preview.locator('img[fetchpriority=high]')
    await hero.waitFor()
    const isSeen = () =>
      hero.evaluate((image) => {
        const { top } = image.getBoundingClientRect()
        return top >= 0 && top < (image.ownerDocument.defaultView?.innerHeight ?? 0)
      })
    await hero.evaluate((image) => image.ownerDocument.defaultView?.scrollTo(0, 10_000))
    assert.equal(await isSeen(), false)
    await page.getByRole('combobox', { name: 'Hero picture' }).focus()
    await waitFor(isSeen)
    await checkAccessibility(page)
    const link = page.getByRole('link', { name: 'Set visible part: Hero picture (new tab)' })
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()])
    await other.getByLabel('Focus from left (%)').fill('0')
    await other.getByRole('button', { name: 'Save picture' }).click()
    await other.getByText('Picture saved. Close this tab to return to your page.').waitFor()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await preview.locator('img.sp-fx0').first().waitFor()
    await page.getByRole('combobox', { name: 'Hero picture' }).fill('')
    assert.equal(await link.isVisible(), false)
  })

  await t.test('several pictures are added, moved, and removed', async (t) => {
    const { path, stored } = await aProject(site, '2026/several')
    const page = await openAdminPage(t, site)
    await page.goto(path)
    await page.getByRole('button', { name: 'Add pictures: Photos' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose pictures' })
    for (const name of Object.keys(COLORS)) await dialog.getByRole('checkbox', { name }).check()
    await dialog.getByRole('button', { name: 'Add pictures' }).click()
    const cards = page.getByRole('list', { name: 'Photos' }).getByRole('listitem')
    assert.equal(await cards.count(), 3)
    await page.getByRole('button', { name: 'Side by side' }).click()
    const later = cards.first().getByRole('button', { name: /later$/ })
    const [card, button] = [await cards.first().boundingBox(), await later.boundingBox()]
    assert.ok(card && button && button.x + button.width <= card.x + card.width, 'the buttons fit the card')
    await checkAccessibility(page)
    const last = await cards.nth(2).locator('[title]').getAttribute('title')
    await page.getByRole('button', { name: `Move ${last} earlier` }).press('Enter')
    await page.getByRole('button', { name: `Move ${last} earlier` }).press('Enter')
    await cards.nth(2).getByRole('button', { name: 'Remove' }).click()
    await save(page)
    const photos = (await stored()).photos as string[]
    assert.equal(photos.length, 2)
    assert.equal(photos[0], last)
  })

  for (const width of [390, 1280])
    await t.test(`a new picture is uploaded with its description, at ${width} px`, async (t) => {
      const { path, stored } = await aProject(site, `2026/new-${width}`)
      const page = await openAdminPage(t, site, { width, colorScheme: width === 390 ? 'dark' : 'light' })
      await page.goto(path)
      await page.getByRole('button', { name: 'Choose picture: Cover' }).press('Enter')
      const dialog = page.getByRole('dialog')
      const buffer = await aPhoto({ color: width === 390 ? '#123456' : '#654321' })
      const upload = { name: `Shop ${width}.jpg`, mimeType: 'image/jpeg', buffer }
      await dialog.getByLabel('Upload pictures').setInputFiles([upload])
      await checkAccessibility(page)
      await dialog.getByRole('button', { name: 'Upload and use' }).press('Enter')
      await dialog.getByText('Describe the picture, or mark it as decorative.').waitFor()
      const name = `shop-${width}.jpg`
      assert.equal((await listPictures(site.app.db)).has(name), false)
      await page.keyboard.type('Our shop from the street')
      await dialog.getByRole('button', { name: 'Upload and use' }).press('Enter')
      await dialog.waitFor({ state: 'hidden' })
      assert.equal((await listPictures(site.app.db)).get(name)?.alt, 'Our shop from the street')
      await save(page)
      assert.equal((await stored()).cover, name)
    })

  await t.test('several pictures are described at once, and a refused one says why', async (t) => {
    const { path, stored } = await aProject(site, '2026/upload')
    const page = await openAdminPage(t, site)
    await page.goto(path)
    await page.getByRole('button', { name: 'Add pictures: Photos' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Upload pictures').setInputFiles([
      { name: 'New Shop.jpg', mimeType: 'image/jpeg', buffer: await aPhoto({ color: '#456123' }) },
      {
        name: 'drawing.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      },
    ])
    await dialog.getByRole('group', { name: 'New Shop.jpg' }).getByLabel('Description').fill('The new shop')
    await dialog.getByRole('group', { name: 'drawing.svg' }).getByLabel('Decorative').check()
    await dialog.getByRole('button', { name: 'Upload and add' }).click()
    await dialog.getByText('SVG files can run scripts.').waitFor()
    await dialog.getByRole('button', { name: 'Remove drawing.svg' }).click()
    await dialog.getByRole('button', { name: 'Add pictures' }).click()
    await save(page)
    assert.deepEqual((await stored()).photos, ['new-shop.jpg'])
    assert.equal((await listPictures(site.app.db)).get('new-shop.jpg')?.alt, 'The new shop')
  })

  await t.test('a picture without a description is described before a page uses it', async (t) => {
    const { path, stored } = await aProject(site, '2026/undescribed')
    const page = await openAdminPage(t, site, { width: 390 })
    await page.goto(path)
    await page.getByRole('combobox', { name: 'Cover' }).fill('gate.jpg')
    await save(page)
    await page.getByText('gate.jpg has no description, so screen readers skip it.').waitFor()
    await page.getByRole('link', { name: 'Describe picture' }).waitFor()
    await page.getByRole('button', { name: 'Choose picture: Cover' }).click()
    const dialog = page.getByRole('dialog')
    const option = dialog.locator('label', { has: page.getByRole('radio', { name: 'gate.jpg' }) })
    await option.getByText('No description').waitFor()
    assert.equal(await dialog.getByText('No description').count(), 1)
    await dialog.getByRole('radio', { name: 'gate.jpg' }).check()
    await dialog.getByRole('button', { name: 'Use picture' }).click()
    await checkAccessibility(page)
    await dialog.getByRole('group', { name: 'gate.jpg' }).getByLabel('Description').fill('The gate')
    await dialog.getByRole('button', { name: 'Save and use' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.equal((await listPictures(site.app.db)).get('gate.jpg')?.alt, 'The gate')
    await save(page)
    assert.equal(await page.getByText('has no description').count(), 0)
    assert.equal((await stored()).cover, 'gate.jpg')
  })

  await t.test('new files can be left for the library', async (t) => {
    const { path } = await aProject(site, '2026/back')
    const page = await openAdminPage(t, site)
    await page.goto(path)
    await page.getByRole('button', { name: 'Choose picture: Cover' }).click()
    const dialog = page.getByRole('dialog')
    const buffer = await aPhoto({ color: '#999999' })
    await dialog
      .getByLabel('Upload pictures')
      .setInputFiles([{ name: 'left.jpg', mimeType: 'image/jpeg', buffer }])
    await dialog.getByRole('button', { name: 'Back to library' }).click()
    await dialog.getByRole('radio', { name: 'van.jpg' }).check()
    await dialog.getByRole('button', { name: 'Use picture' }).click()
    assert.equal(await page.getByRole('combobox', { name: 'Cover' }).inputValue(), 'van.jpg')
    assert.equal((await listPictures(site.app.db)).has('left.jpg'), false)
  })

  await t.test('a picture is inserted at the cursor as a paragraph', async (t) => {
    const { path } = await aProject(site, '2026/text')
    const page = await openAdminPage(t, site)
    await page.goto(path)
    const text = page.locator('textarea[name=body]')
    await text.fill('Before after')
    await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(7, 7))
    await page.getByRole('button', { name: 'Picture', exact: true }).click()
    await page.getByRole('radio', { name: 'van.jpg' }).check()
    await page.getByRole('button', { name: 'Use picture' }).click()
    assert.equal(await text.inputValue(), 'Before\n\n![Our work](van.jpg)\n\nafter')
    await page.frameLocator('iframe[name=preview]').locator('img[src*="picture-"]').first().waitFor()
  })

  await t.test('without a script pictures are named and checked', async (t) => {
    const { path, stored } = await aProject(site, '2026/plain')
    const page = await openAdminPage(t, site, { javaScriptEnabled: false })
    await page.goto(path)
    const [upload] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Upload picture' }).first().click(),
    ])
    const buffer = await aPhoto({ color: '#777777' })
    await upload
      .getByLabel('Upload pictures')
      .setInputFiles([{ name: 'door.jpg', mimeType: 'image/jpeg', buffer }])
    await upload.getByLabel('Description').fill('The door')
    await upload.locator('button', { hasText: 'Upload pictures' }).click()
    await upload.getByText('door.jpg uploaded.').waitFor()
    assert.equal((await listPictures(site.app.db)).get('door.jpg')?.alt, 'The door')
    await page.getByRole('combobox', { name: 'Cover' }).fill('team.jpg')
    await page.getByRole('textbox', { name: /^Photos: file names/ }).fill('team.jpg')
    await page.getByText('Newest pictures').click()
    await page.getByRole('checkbox', { name: 'van.jpg' }).check()
    await save(page)
    const { cover, photos } = await stored()
    assert.deepEqual({ cover, photos }, { cover: 'team.jpg', photos: ['team.jpg', 'van.jpg'] })
  })
})
