import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { findPictureById, listPictures } from '#src/pictures/picture-store.ts'
import { checkAccessibility } from '../../support/accessibility.ts'
import { type AdminSite, openAdminPage, startAdmin } from '../../support/admin.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/database.ts'
import { aPhoto } from '../../support/photos.ts'
import { waitFor } from '../../support/running-site.ts'
import { addEntry } from '../../support/small-site.ts'

const COLORS = { van: '#2f42a5', roof: '#a52f42', team: '#42a52f' }
const VISITS = [
  { width: 390, javaScriptEnabled: false },
  { width: 390, javaScriptEnabled: true },
  { width: 1280, javaScriptEnabled: true },
]

async function photos(t: TestContext, colors: Record<string, string>): Promise<string[]> {
  const folder = temporaryFolder(t)
  const paths = Object.keys(colors).map((name) => join(folder, `${name}.jpg`))
  for (const [index, color] of Object.values(colors).entries())
    writeFileSync(paths[index] ?? '', await aPhoto({ color, width: 300, height: 200 }))
  return paths
}

test('a user uploads photos, places them, gets approval, and reverts a change', async (t) => {
  for (const visit of VISITS)
    await t.test(`at ${visit.width} px, script: ${visit.javaScriptEnabled}`, async (t) => {
      const site = await startAdmin(t)
      const id = await addEntry(site.app.db, 'pages', {
        slug: 'about',
        title: 'About us',
        body: 'A family firm.',
      })
      const page = await openAdminPage(t, site, visit)
      await uploadAndDescribe(t, page, visit.javaScriptEnabled)
      const pictures = await listPictures(site.app.db)
      assert.deepEqual([...pictures.keys()].sort(), ['roof.jpg', 'team.jpg', 'van.jpg'])
      assert.deepEqual(pictures.get('van.jpg')?.focalPoint, [0.3, 0.6])

      await page.goto(`/admin/entries/pages/${id}`)
      await page.locator('textarea[name=body]').fill('A family firm.\n\n![Our van](van.jpg)')
      if (visit.width < 640) await page.getByLabel('More actions').click()
      await page.getByRole('button', { name: 'Save as draft' }).click()
      await page.getByText('This is a draft. Visitors can’t see drafts.').waitFor()
      await page.getByRole('button', { name: 'Add to next publish' }).click()
      await page.getByText('added to the next publish').waitFor()
      await page.goto('/admin/entries/services/1')
      await page.getByRole('combobox', { name: 'Hero picture' }).fill('roof.jpg')
      await page.getByRole('button', { name: 'Save for next publish' }).last().click()
      await page.getByText('“AC repair” saved.').waitFor()
      await approveAndPublish(t, page, site, visit.javaScriptEnabled)
      const pictureOn = async (path: string) =>
        /\/_astro\/picture-[\w-]+\.webp/.exec(await (await fetch(site.url + path)).text())?.[0]
      const [shown, hero] = [await pictureOn('/about'), await pictureOn('/services/ac-repair')]
      assert.ok(shown && hero && shown !== hero)
      for (const file of [shown, hero]) assert.equal((await fetch(site.url + file)).status, 200)

      await replace(t, page, site)
      await takeBack(page, id)
      await publish(page, site)
      assert.equal(await pictureOn('/about'), undefined)
      const replaced = await pictureOn('/services/ac-repair')
      assert.notEqual(replaced, hero)
      assert.equal(await brightnessOf(site.url + replaced), 'dark', 'visitors get the new photo')
      await throughTrash(page, site)
    })
})

async function uploadAndDescribe(t: TestContext, page: Page, hasScript: boolean) {
  await page.goto('/admin/pictures')
  const field = page.getByLabel('Upload pictures')
  await field.setInputFiles(await photos(t, COLORS))
  const named = await field.evaluate((input: HTMLInputElement) => input.files?.length)
  assert.equal(named, Object.keys(COLORS).length, 'the field names the chosen files')
  const upload = page.locator('button', { hasText: 'Upload pictures' })
  const describeAll = async () => {
    for (const field of await page.locator('main textarea:visible').all())
      await field.fill('Our work in Austin')
  }
  if (hasScript) {
    await describeAll()
    await upload.click()
    await page.getByText('van.jpg uploaded. roof.jpg uploaded. team.jpg uploaded.').waitFor()
  } else {
    await upload.click()
    await page.waitForURL('**/admin/pictures/descriptions?**')
    await describeAll()
    await page.getByRole('button', { name: 'Save descriptions' }).click()
    await page.getByText('3 pictures described.').waitFor()
  }
  await page.getByRole('link', { name: /van\.jpg/ }).click()
  if (hasScript) await clickPoint(page)
  else {
    await page.getByLabel('Focus from left (%)').fill('30')
    await page.getByLabel('Focus from top (%)').fill('60')
  }
  await page.getByRole('button', { name: 'Save picture' }).click()
  await page.getByText('Picture saved.').waitFor()
}

async function clickPoint(page: Page) {
  const picture = page.locator('[data-focus]')
  // Before the photo and the styles are there, its box is another.
  await page.waitForLoadState()
  await picture.locator('img').evaluate((image: HTMLImageElement) => image.decode())
  const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {}
  const hero = page.getByRole('img', { name: 'Hero picture' })
  const before = await hero.getAttribute('viewBox')
  await picture.click({ position: { x: width * 0.3, y: height * 0.6 } })
  assert.notEqual(await hero.getAttribute('viewBox'), before)
}

async function approveAndPublish(t: TestContext, page: Page, site: AdminSite, hasScript: boolean) {
  await page.goto('/admin/publish/previews')
  await page.getByRole('button', { name: 'Create preview link' }).click()
  const link = await page.getByLabel('Preview link', { exact: true }).inputValue()
  const client = await openPage(t, await openBrowser(), { viewport: { width: 390, height: 800 } })
  await client.goto(link)
  await client.getByLabel('Your name').fill('Cleo Client')
  await client.getByRole('button', { name: 'Approve these pages' }).click()
  await client.getByText('Thank you. Your approval was sent.').waitFor()
  await page.goto('/admin/publish/previews')
  await page.getByRole('button', { name: 'Publish approved pages' }).click()
  const message = page.getByText('Publishing the approved pages.')
  await message.waitFor()
  await waitFor(async () => !site.app.publishing.isRunning(), 60_000)
  // A script shows the page anew when the publish has ended.
  if (hasScript) await message.waitFor({ state: 'detached' })
}

async function replace(t: TestContext, page: Page, site: AdminSite) {
  const picture = (await listPictures(site.app.db)).get('roof.jpg')
  await page.goto('/admin/pictures')
  await page.getByRole('link', { name: /roof\.jpg/ }).click()
  await page.getByRole('link', { name: 'Replace picture' }).click()
  await page.getByLabel('New file').setInputFiles(await photos(t, { 'new-roof': '#101010' }))
  await page.getByRole('button', { name: 'Replace picture' }).click()
  await page.getByText('Picture replaced.').waitFor()
  const id = Number(/\/(\d+)$/.exec(new URL(page.url()).pathname)?.[1])
  assert.notEqual((await findPictureById(site.app.db, id))?.sha256, picture?.sha256)
}

// The older text, and then the page itself from the trash.
async function takeBack(page: Page, id: number) {
  await page.goto(`/admin/entries/pages/${id}/versions`)
  await page.getByRole('table').getByRole('link').last().click()
  await page.getByRole('link', { name: 'Restore version' }).click()
  await page.getByRole('button', { name: 'Restore selected values' }).click()
  await page.getByText('restored').waitFor()
  await page.goto(`/admin/entries/pages/${id}/removal`)
  await page.getByRole('button', { name: 'Delete “About us”' }).click()
  await page.goto('/admin/trash')
  await page.getByRole('button', { name: 'Restore About us' }).click()
  await page.getByText('“About us” restored').waitFor()
}

async function brightnessOf(url: string): Promise<'dark' | 'bright'> {
  const { channels } = await sharp(await (await fetch(url)).arrayBuffer()).stats()
  return channels.slice(0, 3).every(({ max }) => max < 40) ? 'dark' : 'bright'
}

// The page that showed it has its older text again.
async function throughTrash(page: Page, site: AdminSite) {
  const before = (await listPictures(site.app.db)).get('van.jpg')
  assert.ok(before)
  await page.goto('/admin/pictures')
  await page.getByRole('link', { name: /van\.jpg/ }).click()
  await page.getByRole('link', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete picture' }).click()
  await page.getByText('van.jpg deleted.').waitFor()
  await page.goto('/admin/trash')
  await page.getByRole('button', { name: 'Restore van.jpg' }).click()
  await page.getByText('“van.jpg” restored').waitFor()
  assert.deepEqual((await listPictures(site.app.db)).get('van.jpg'), before)
}

async function publish(page: Page, site: AdminSite) {
  await page.goto('/admin/publish')
  await page
    .getByRole('button', { name: /^Publish/ })
    .first()
    .click()
  await page.waitForURL(/after=/)
  // A script would show the page anew when the publish has ended.
  await page.goto('about:blank')
  await waitFor(async () => !site.app.publishing.isRunning(), 60_000)
}

test('photos are dropped, pasted, and taken with the camera, described first, and a refused one says why', async (t) => {
  const site = await startAdmin(t)
  const bytes = (await aPhoto({ color: '#654321', width: 300, height: 200 })).toString('base64')
  const page = await openAdminPage(t, site, { width: 390 })
  const pass = (kind: 'drop' | 'paste', name: string) =>
    page.evaluate(
      ([kind, name, base64]) => {
        const bytes = Uint8Array.from(atob(base64 ?? ''), (letter) => letter.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], name ?? '', { type: 'image/jpeg' }))
        const target = document.querySelector('form[data-upload]')
        if (kind === 'drop')
          target?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }))
        else document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }))
      },
      [kind, name, bytes],
    )
  const upload = page.locator('button', { hasText: 'Upload pictures' })
  const names = async () => [...(await listPictures(site.app.db)).keys()].toSorted()
  await page.goto('/admin/pictures')
  await pass('drop', 'dropped.jpg')
  await pass('paste', 'pasted.jpg')
  const group = (name: string) => page.getByRole('group', { name })
  await group('pasted.jpg').getByLabel('Decorative').check()
  await checkAccessibility(page)
  await upload.click()
  await group('dropped.jpg').getByText('Describe the picture, or mark it as decorative.').waitFor()
  assert.deepEqual(await names(), [])
  await group('dropped.jpg').getByLabel('Description').fill('A dropped photo')
  await upload.click()
  // The second one has the same pixels.
  await page.getByText('dropped.jpg uploaded. dropped.jpg is already in your library.').waitFor()
  assert.deepEqual(await names(), ['dropped.jpg'])
  assert.equal((await listPictures(site.app.db)).get('dropped.jpg')?.alt, 'A dropped photo')

  await page.goto('/admin/pictures')
  const camera = page.locator('input[data-camera]')
  assert.equal(await camera.getAttribute('capture'), 'environment')
  const photo = await aPhoto({ color: '#abcdef', width: 300, height: 200 })
  await camera.setInputFiles({ name: 'camera.jpg', mimeType: 'image/jpeg', buffer: photo })
  await camera.setInputFiles({ name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<html>') })
  await group('camera.jpg').getByLabel('Description').fill('From the camera')
  await group('page.jpg').getByLabel('Decorative').check()
  await upload.click()
  await group('page.jpg').getByText('This file is not a JPEG').waitFor()
  await group('camera.jpg').waitFor({ state: 'detached' })
  await checkAccessibility(page)
  assert.deepEqual(await names(), ['camera.jpg', 'dropped.jpg'])
  await page.getByRole('button', { name: 'Remove page.jpg' }).click()
  await drawCrop(page)
  assert.deepEqual((await listPictures(site.app.db)).get('camera.jpg')?.crop, {
    ...{ x: 0.21, y: 0.5, width: 0.51, height: 0.5 },
  })
})

// The corners of the frame are pulled with the mouse and by keys; keys move the frame and make it wider.
async function drawCrop(page: Page) {
  await page.goto('/admin/pictures')
  await page.getByRole('link', { name: /camera\.jpg/ }).click()
  await page.getByLabel('Description').fill('Our van')
  await page.getByRole('button', { name: 'Draw on the picture' }).click()
  await checkAccessibility(page)
  const box = await page.locator('[data-focus]').boundingBox()
  assert.ok(box)
  const at = (x: number, y: number) => [box.x + box.width * x, box.y + box.height * y] as const
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(...at(...from))
    await page.mouse.down()
    await page.mouse.move(...at(...to))
    await page.mouse.up()
  }
  await drag([0.1, 0.1], [0.2, 0.5])
  await drag([0.9, 0.9], [0.7, 1.2])
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('button', { name: 'Top-right corner' }).press('ArrowRight')
  await page.getByRole('button', { name: 'Crop frame' }).press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  assert.equal(await page.getByLabel('Focus from left (%)').inputValue(), '50')
  await page.getByRole('button', { name: 'Save picture' }).click()
  await page.getByText('Picture saved.').waitFor()
}
