import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { openBrowser, openPage } from '../../support/browser.ts'
import { EVERY_FIELD, fillRight, fillWrong, RIGHT_ANSWERS, readAnswers } from '../../support/every-field.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'

// The page's own rules would hide the form's fields, and the form's would change the page's.
const STYLES = `html { font-size: 62.5% } body { font: 20px monospace } p { color: rgb(1, 2, 3) }
  * { direction: rtl; letter-spacing: 3px; --muted: red; --text: red } div { padding: 40px; font: 30px cursive; text-transform: uppercase; display: flex }
  input, label { display: none !important }`

/** Another website: a page with the script tag; under `/plain` without it, under `/bare` without styles and language. */
async function startForeignSite(t: TestContext) {
  const site = { url: '', script: '' }
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    const tag = request.url === '/plain' ? '' : `<script src="${site.script}" defer></script>`
    const styles = request.url === '/bare' ? '' : STYLES
    const attributes = request.url === '/bare' ? '' : ' lang="ar" dir="rtl"'
    response.end(`<!doctype html><html${attributes}><title>Shop</title><link rel="icon" href="data:,"><style>${styles}</style>
      <h1>Shop</h1><p id="before">Before</p>${tag}<p id="after">After</p>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return site
}

test('contract §2 one script tag places a form on a page of another website', async (t) => {
  const shop = await startForeignSite(t)
  const { url, app } = await startFront(t, {
    environment: { FORM_ORIGINS: shop.url },
    prepare: ({ db }) => storeForm(db, 'everything', EVERY_FIELD),
  })
  shop.script = `${url}/forms/everything/embed.js`
  const page = await openPage(t, await openBrowser(), {})
  const lookOf = (id: string) =>
    page.locator(id).evaluate((element) => {
      const { color, fontFamily, fontSize, margin, lineHeight } = getComputedStyle(element)
      return { color, fontFamily, fontSize, margin, lineHeight }
    })
  await page.goto(`${shop.url}/plain`)
  const before = await lookOf('#before')
  await page.goto(shop.url)

  await t.test('it is light on a page without a dark mode', async () => {
    const colorOf = (selector: string) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).color)
    await page.locator('label[for$=full_name]').waitFor({ state: 'visible' })
    const inLight = await colorOf('label[for$=full_name]')
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await colorOf('label[for$=full_name]'), inLight)
    await page.emulateMedia({ colorScheme: 'light' })
  })

  await t.test('it appears at the tag, with styles isolated both ways', async () => {
    await page.locator('[name=full_name]').waitFor({ state: 'visible' })
    assert.equal(await page.locator('#before ~ div ~ #after').count(), 1)
    assert.deepEqual(await lookOf('#before'), before)
    assert.deepEqual(await page.evaluate(() => [document.forms.length, 'embeddedForm' in globalThis]), [
      0,
      false,
    ])
    const looksInside = () =>
      page
        .locator('#before ~ div')
        .evaluate((host) =>
          [host, ...(host.shadowRoot?.querySelectorAll('*') ?? [])].map((element) =>
            [...element.computedStyleMap()].map(([name, value]) => `${name}: ${value}`),
          ),
        )
    const styled = await looksInside()
    await page.goto(`${shop.url}/bare`)
    await page.locator('[name=full_name]').waitFor({ state: 'visible' })
    assert.deepEqual(styled, await looksInside())
    await page.goto(shop.url)
  })

  await t.test('it keeps its language and direction on a right-to-left page', async () => {
    const label = page.locator('label[for$=full_name]')
    const directions = await label.evaluate((element) =>
      [document.body, element].map((one) => getComputedStyle(one).direction),
    )
    assert.deepEqual(directions, ['rtl', 'ltr'])
    assert.equal(await page.locator('#before ~ div').getAttribute('lang'), 'en')
  })

  await t.test('it shows its messages, links to fields, and the success text', async () => {
    await fillWrong(page)
    await page.getByRole('button', { name: 'Send' }).click()
    const summary = page.getByRole('alert')
    await summary.getByText('Please check 12 answers').waitFor()
    await summary.getByRole('link', { name: 'E-mail' }).click()
    await page.locator('[name=email]:focus').waitFor()
    await fillRight(page)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('heading', { name: 'All is well' }).waitFor()
    assert.equal(page.url(), `${shop.url}/`)
    const row = await app.db.selectFrom('form_submissions').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual(readAnswers(row.data_json), RIGHT_ANSWERS)
  })

  await t.test('its file is cached and revalidated', async () => {
    const answer = await fetch(shop.script)
    assert.match(String(answer.headers.get('content-type')), /^text\/javascript/)
    const headers = { 'if-none-match': String(answer.headers.get('etag')) }
    assert.equal((await fetch(shop.script, { headers })).status, 304)
  })

  await t.test('it refuses an origin that isn’t listed', async (t) => {
    const other = await startForeignSite(t)
    other.script = shop.script
    const stranger = await (await openBrowser()).newPage()
    t.after(() => stranger.close())
    await stranger.goto(other.url)
    await fillRight(stranger)
    await stranger.getByRole('button', { name: 'Send' }).click()
    await stranger.getByRole('status').filter({ hasText: 'Your answers are still here' }).waitFor()
    assert.equal((await app.db.selectFrom('form_submissions').selectAll().execute()).length, 1)
  })
})
