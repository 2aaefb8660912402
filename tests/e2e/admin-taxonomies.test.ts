import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from '../support/accessibility.ts'
import { openAdminPage, startAdmin } from '../support/admin.ts'

const LOCATIONS = '/admin/taxonomies/locations'

// The tree as it is shown: every term with how deep it stands.
function shownTree(page: Page) {
  return page.locator('[data-term]').evaluateAll((terms) =>
    terms.map((term) => {
      const depth = term.closest('form')?.querySelectorAll(':scope [data-parent]') ?? []
      const above = [...depth].filter((list) => list.contains(term)).length - 1
      return `${'-'.repeat(above)}${term.querySelector('a')?.textContent?.trim()}`
    }),
  )
}

async function addTerms(page: Page, list: string) {
  await page.goto(`${LOCATIONS}/terms/new`)
  await page.getByLabel('Names').fill(list)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('heading', { name: /will be made/ }).waitFor()
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Add them' }).click()
  await page.getByText('added.').waitFor()
}

test('a person pastes a list of places, drags one, moves one by keyboard, and renames it', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site)
  await addTerms(page, 'Kansas\n  Wichita\n  Topeka')
  await checkAccessibility(page)

  await t.test('dropped below another term it stays there', async () => {
    const handle = page
      .locator('[data-term]', { hasText: /^\s*⠿\s*Topeka/ })
      .locator('[data-handle]')
      .first()
    const usa = page.locator('[data-term] [data-handle]').first()
    const [from, to] = [await handle.boundingBox(), await usa.boundingBox()]
    assert.ok(from && to)
    await page.mouse.move(from.x + 4, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + 8, to.y + 14, { steps: 12 })
    await page.mouse.move(to.x + 8, to.y + 4, { steps: 6 })
    await Promise.all([page.waitForNavigation(), page.mouse.up()])
    await page.getByText('Topeka is moved.').waitFor()
    assert.equal(
      (await shownTree(page)).some((line) => line === '-Topeka'),
      false,
      'it left Kansas',
    )
  })

  await t.test('by keyboard it moves step by step, the button keeping the focus', async () => {
    const before = (await shownTree(page)).filter((line) => !line.startsWith('-'))
    await page.getByRole('button', { name: 'Move Kansas up' }).focus()
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await page.getByText('Kansas is moved.').waitFor()
    const after = (await shownTree(page)).filter((line) => !line.startsWith('-'))
    assert.notDeepEqual(after, before)
    assert.equal(
      await page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'Move Kansas up',
    )
  })
})

test('without JavaScript everything is there: moves, another slug with its warning, and a deletion with its list', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site, { javaScriptEnabled: false, width: 390 })
  await page.goto(LOCATIONS)
  assert.deepEqual(await shownTree(page), ['Usa', '-Texas', '--Austin'])
  await page.getByRole('button', { name: 'Move Austin out one level' }).click()
  assert.deepEqual(await shownTree(page), ['Usa', '-Texas', '-Austin'])
  await page.getByRole('link', { name: 'Austin', exact: true }).click()
  await page.getByLabel('Slug').fill('austin-tx')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Move one page to other addresses').check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Austin is saved.').waitFor()
  await page.getByRole('link', { name: 'Delete' }).click()
  await page.getByText('1 pages of services there').waitFor()
  await page.getByRole('button', { name: 'Delete Austin' }).click()
  await page.getByText('Austin is deleted.').waitFor()
  assert.deepEqual(await shownTree(page), ['Usa', '-Texas'])
})
