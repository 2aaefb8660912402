import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../../support/admin.ts'

function isInView(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })
}

test('messages about a save are in view wherever one saves', async (t) => {
  const site = await startAdmin(t)
  for (const width of [390, 1280]) {
    const page = await openAdminPage(t, site, { width })
    await page.goto('/admin/entries/services/1')
    const list = page.locator('[data-rows][data-name=faq]')
    await list.getByRole('button', { name: 'Add question' }).click()
    const row = list.locator('[data-row]').last()
    await row.getByRole('textbox', { name: 'Question' }).fill('Do you work on weekends?')
    await page.keyboard.press('ControlOrMeta+s')
    await page.locator('[data-form-errors]').waitFor()
    await page.evaluate(() => scrollTo(0, 1_200))
    assert.ok(await isInView(page, '[data-form-errors]'), `errors at ${width} px`)
    await row.getByRole('textbox', { name: 'Answer' }).fill('Yes.')
    await page.keyboard.press('ControlOrMeta+s')
    await page.locator('[data-flash=success]').waitFor()
    await page.evaluate(() => scrollTo(0, 1_200))
    assert.ok(await isInView(page, '[data-flash]'), `success at ${width} px`)
  }
})

test('a message about a save covers nothing once a person scrolls', async (t) => {
  const page = await openAdminPage(t, await startAdmin(t))
  await page.goto('/admin/entries/services/1')
  await page.getByRole('button', { name: 'Save for next publish' }).click()
  await page.locator('[data-flash=success]').waitFor()
  await page.mouse.move(300, 500)
  await page.mouse.wheel(0, 600)
  await page.waitForFunction(() => scrollY > 300)
  assert.equal(await isInView(page, '[data-flash]'), false)
})

test('the editor’s buttons take one row of a phone, with the others in a menu', async (t) => {
  const site = await startAdmin(t)
  for (const javaScriptEnabled of [true, false]) {
    const page = await openAdminPage(t, site, { width: 390, javaScriptEnabled })
    for (const path of ['/admin/entries/services/1', '/admin/settings']) {
      await page.goto(path)
      const save = page.getByRole('button', { name: 'Save for next publish' }).last()
      const bar = await save.locator('..').boundingBox()
      assert.ok(bar && bar.height < 64, `${path}: ${bar?.height}`)
      const last = await page.getByRole('button', { name: 'Preview', exact: true }).boundingBox()
      assert.ok(last && last.x + last.width <= 390 - 8, `${path}: ${last?.x} + ${last?.width}`)
      const draft = page.getByRole('button', { name: 'Save as draft' })
      assert.equal(await draft.isVisible(), false)
      await page.getByLabel('More actions').press('Enter')
      await draft.waitFor()
      if (javaScriptEnabled) await checkAccessibility(page)
    }
  }
})

test('a link to a section of the settings shows its heading below the bars', async (t) => {
  const site = await startAdmin(t)
  for (const width of [390, 1280]) {
    const page = await openAdminPage(t, site, { width })
    await page.goto('/admin/settings#sections')
    const heading = page.locator('#sections h2').first()
    await heading.waitFor()
    await page.waitForLoadState('networkidle')
    const bar = width === 390 ? page.locator('header') : page.locator('[data-section-menu]')
    const [shown, above] = [await heading.boundingBox(), await bar.boundingBox()]
    const end = (above?.y ?? 0) + (above?.height ?? 0)
    assert.ok(shown && shown.y >= end && shown.y < end + 120, `${width} px: ${shown?.y} below ${end}`)
  }
})

test('the whole menu fits a small laptop, and the site opens in its own tab', async (t) => {
  const page = await openAdminPage(t, await startAdmin(t))
  await page.goto('/admin/publish')
  const menu = page.getByRole('navigation', { name: 'Admin' })
  const [all, shown] = await menu.evaluate(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight])
  assert.equal(all, shown)
  for (const part of [menu, page.getByRole('main')]) {
    const [site] = await Promise.all([
      page.context().waitForEvent('page'),
      part.getByRole('link', { name: 'View site' }).click(),
    ])
    assert.equal(new URL(site.url()).pathname, '/')
  }
})

test('after a save, the settings show the preview as before, below a message of several lines', async (t) => {
  const page = await openAdminPage(t, await startAdmin(t))
  await page.goto('/admin/settings')
  const preview = page.frameLocator('iframe[name=preview]')
  await preview.getByRole('heading', { level: 1 }).waitFor()
  const answers = Promise.withResolvers<void>()
  await page.route('**/admin/settings/preview', async (route) => {
    await answers.promise
    await route.continue()
  })
  await page.getByLabel('Tagline').fill('Cool air')
  await page.keyboard.press('ControlOrMeta+s')
  const message = page.locator('[data-flash=success]')
  await message.waitFor()
  await preview.getByRole('heading', { level: 1 }).waitFor()
  await message.locator('p').evaluate((text) => text.append(' More words.'.repeat(30)))
  await page.evaluate(() => scrollTo(0, 1_200))
  const bottomOf = (box: { y: number; height: number } | null) => (box?.y ?? 0) + (box?.height ?? 0)
  const menu = page.getByRole('navigation', { name: 'Settings by topic' })
  await page.waitForFunction(() => {
    const height = document.querySelector<HTMLElement>('[data-flash]')?.offsetHeight ?? 0
    return (
      height > 90 && document.documentElement.style.getPropertyValue('--message-height') === `${height}px`
    )
  })
  const end = bottomOf(await message.locator('.alert').boundingBox())
  assert.ok(((await menu.boundingBox())?.y ?? 0) >= end - 1)
  const menuEnd = bottomOf(await menu.boundingBox())
  assert.ok(((await page.locator('#preview').boundingBox())?.y ?? 0) >= menuEnd - 1)
  answers.resolve()
  await preview.getByText('Cool air').first().waitFor()
})

test('the first row can’t move up, the last can’t move down, and parts of a row aren’t optional', async (t) => {
  const page = await openAdminPage(t, await startAdmin(t))
  await page.goto('/admin/entries/services/1')
  const list = page.locator('[data-rows][data-name=faq]')
  const add = list.getByRole('button', { name: 'Add question' })
  for (let rows = await list.locator('[data-row]').count(); rows < 2; rows += 1) await add.click()
  const [ups, downs] = [
    list.getByRole('button', { name: 'Move this question up' }),
    list.getByRole('button', { name: 'Move this question down' }),
  ]
  assert.deepEqual([await ups.first().isDisabled(), await ups.last().isDisabled()], [true, false])
  assert.deepEqual([await downs.first().isDisabled(), await downs.last().isDisabled()], [false, true])
  assert.doesNotMatch((await list.locator('[data-row]').first().textContent()) ?? '', /optional/)
})

test('saving by key keeps the cursor where it was', async (t) => {
  const page = await openAdminPage(t, await startAdmin(t))
  await page.goto('/admin/entries/services/1')
  const text = page.locator('[name=body]')
  await text.fill('We repair it the same day.')
  await text.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(9, 11))
  await page.keyboard.press('ControlOrMeta+s')
  await page.locator('[data-flash=success]').waitFor()
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'body')
  const caret = await text.evaluate((field: HTMLTextAreaElement) => [
    field.selectionStart,
    field.selectionEnd,
  ])
  assert.deepEqual(caret, [9, 11])
})
