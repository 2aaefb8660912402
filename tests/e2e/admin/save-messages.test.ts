import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
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
