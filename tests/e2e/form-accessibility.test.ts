import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, openPage } from '../support/browser.ts'
import { EVERY_FIELD, fillRight, fillWrong } from '../support/every-field.ts'
import { storeForm } from '../support/forms.ts'
import { startFront } from '../support/front.ts'

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface AxeResults {
  violations: { id: string; nodes: { html: string }[] }[]
}

async function assertAccessible(page: Page, state: string) {
  await page.addScriptTag({ path: AXE })
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  assert.deepEqual(found, [], state)
}

test('axe finds no violation in a form with every type of field: clean, with mistakes, sent', async (t) => {
  const { url } = await startFront(t, { prepare: ({ db }) => storeForm(db, 'everything', EVERY_FIELD) })
  const browser = await openBrowser(t)

  async function sendWrong(page: Page) {
    await page.goto(`${url}/forms/everything`)
    await page.evaluate(() => {
      for (const form of document.forms) form.noValidate = true
    })
    await fillWrong(page)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').waitFor()
  }

  // The page's own policy forbids scripts from elsewhere, the checker's included.
  const page = await openPage(t, browser, { bypassCSP: true })
  await page.goto(`${url}/forms/everything`)
  await assertAccessible(page, 'clean')
  await sendWrong(page)
  await assertAccessible(page, 'mistakes shown by the script')
  await fillRight(page)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('heading', { name: 'All is well' }).waitFor()
  await assertAccessible(page, 'sent')

  // A script that fails leaves the plain form.
  const context = await browser.newContext({ bypassCSP: true })
  t.after(() => context.close())
  const broken = { body: 'throw new Error()', contentType: 'text/javascript' }
  await context.route('**/_astro/*.js', (route) => route.fulfill(broken))
  const plain = await context.newPage()
  await sendWrong(plain)
  assert.match(await plain.title(), /^Please check your answers/)
  await assertAccessible(plain, 'mistakes shown by the server')
})
