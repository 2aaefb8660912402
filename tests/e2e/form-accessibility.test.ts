import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility } from '../support/accessibility.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { EVERY_FIELD, fillRight, fillWrong } from '../support/every-field.ts'
import { storeForm } from '../support/forms.ts'
import { startFront } from '../support/front.ts'

test('axe finds no violation in a form with every type of field: clean, with mistakes, sent', async (t) => {
  const { url } = await startFront(t, { prepare: ({ db }) => storeForm(db, 'everything', EVERY_FIELD) })
  const browser = await openBrowser()

  async function sendWrong(page: Page) {
    await page.goto(`${url}/forms/everything`)
    await page.evaluate(() => {
      for (const form of document.forms) form.noValidate = true
    })
    await fillWrong(page)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
  }

  const page = await openPage(t, browser, {})
  await page.goto(`${url}/forms/everything`)
  await checkAccessibility(page)
  await sendWrong(page)
  await checkAccessibility(page)
  await fillRight(page)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: 'All is well' }).waitFor()
  await checkAccessibility(page)

  // A script that fails leaves the plain form.
  const context = await browser.newContext()
  t.after(() => context.close())
  const broken = { body: 'throw new Error()', contentType: 'text/javascript' }
  await context.route('**/_astro/*.js', (route) => route.fulfill(broken))
  const plain = await context.newPage()
  await sendWrong(plain)
  assert.match(await plain.title(), /^Please check your answers/)
  await checkAccessibility(plain)
})
