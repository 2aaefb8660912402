import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { checkAccessibility } from '../../support/accessibility.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import {
  EVERY_FIELD,
  fillRight,
  fillWrong,
  PHOTO,
  RIGHT_ANSWERS,
  readAnswers,
} from '../../support/every-field.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { waitFor } from '../../support/running-site.ts'

const MAX_SCRIPT_BYTES = 4_096

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click()

// What a visitor sees and hears of the mistakes, and what is still in the fields.
function shownMistakes(page: Page) {
  return page.evaluate(() => {
    const textOf = (id: string) => document.getElementById(id)?.textContent?.trim()
    const controls = [...document.querySelectorAll<HTMLInputElement>('form :is(input, select, textarea)')]
    return {
      focused: document.activeElement?.getAttribute('role'),
      summary: document.querySelector('[data-summary] p')?.textContent,
      items: [...document.querySelectorAll('[data-summary] li')].map((item) => [
        item.textContent?.replace(/\s+/g, ' ').replace(' :', ':').trim(),
        item.querySelector('a')?.getAttribute('href'),
      ]),
      groups: [...document.querySelectorAll('form fieldset')].map((group) => [
        group.getAttribute('role'),
        group.getAttribute('aria-invalid'),
      ]),
      controls: controls
        .filter(({ name }) => !name.startsWith('_'))
        .map((control) => [
          control.name,
          control.checked ? 'checked' : control.type === 'file' ? 'a file' : control.value,
          control.getAttribute('aria-invalid'),
          (control.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean).map(textOf),
        ]),
    }
  })
}

test('a form with every field type works the same with and without JavaScript', async (t) => {
  const { url, app } = await startFront(t, { prepare: ({ db }) => storeForm(db, 'everything', EVERY_FIELD) })
  const browser = await openBrowser()
  const address = `${url}/forms/everything`
  const plain = await openPage(t, browser, { javaScriptEnabled: false })
  const scripted = await openPage(t, browser, {})
  let withoutScript: Awaited<ReturnType<typeof shownMistakes>> | undefined
  const takeAnswers = async () => {
    const row = await app.db.selectFrom('form_submissions').selectAll().executeTakeFirst()
    await app.db.deleteFrom('form_submissions').execute()
    return readAnswers(row?.data_json)
  }

  // What is typed wrong must reach the server: the browser's own checks are turned off.
  async function sendUnchecked(page: Page, fill: () => Promise<unknown>) {
    await page.evaluate(() => {
      for (const form of document.forms) form.noValidate = true
    })
    await fill()
    await send(page)
  }

  async function sendWrong(page: Page) {
    await sendUnchecked(page, () => fillWrong(page))
    // It gets the focus with the first frame, a little later than it is there.
    await page.locator('[role=alert]:focus').waitFor()
    return shownMistakes(page)
  }

  async function sendWithOneMistake(page: Page) {
    await sendUnchecked(page, async () => {
      await fillRight(page)
      await page.locator('[name=budget]').fill('0')
    })
    await page.getByRole('alert').getByText('Please check one answer').waitFor()
    await page.locator('[name=budget]').fill('2.5')
  }

  await t.test(
    'without it mistakes are told and a file is asked for again; right answers are stored',
    async () => {
      await plain.goto(address)
      withoutScript = await sendWrong(plain)
      assert.equal(withoutScript.focused, 'alert')
      assert.equal(withoutScript.summary, 'Please check 12 answers')
      assert.deepEqual(withoutScript.items.slice(4, 6), [
        ['Size: Choose one of the options', '#everything-size'],
        ['Building: Choose one of the options', '#everything-building'],
      ])
      assert.deepEqual(withoutScript.groups, [
        ['radiogroup', 'true'],
        [null, null],
      ])
      assert.deepEqual(withoutScript.controls[1], [
        'full_name',
        '',
        'true',
        ['As on your letters', 'Fill in this field'],
      ])
      await sendWithOneMistake(plain)
      assert.match(
        String(await plain.locator('#everything-photo-again').textContent()),
        /Please choose roof\.png again/,
      )
      const photo = plain.locator('[name=photo]')
      assert.match(String(await photo.getAttribute('aria-describedby')), /photo-again/)
      await photo.setInputFiles(PHOTO)
      await send(plain)
      await plain.getByRole('heading', { name: 'All is well' }).waitFor()
      assert.equal(new URL(plain.url()).pathname, '/forms/everything/thanks')
      assert.deepEqual(await takeAnswers(), RIGHT_ANSWERS)
    },
  )

  await t.test(
    'with it all looks, reads and is stored the same, a file is kept, and axe finds nothing',
    async () => {
      await scripted.goto(address)
      await checkAccessibility(scripted)
      assert.deepEqual(await sendWrong(scripted), withoutScript)
      await checkAccessibility(scripted)
      await send(scripted)
      await scripted.getByRole('button', { name: 'Send', exact: true }).waitFor()
      await scripted.locator('[role=alert]:focus').waitFor()
      assert.deepEqual(await shownMistakes(scripted), withoutScript, 'a second time')
      await sendWithOneMistake(scripted)
      assert.equal(await scripted.locator('#everything-photo-again').count(), 0)
      await send(scripted)
      await scripted.getByRole('heading', { name: 'All is well' }).waitFor()
      assert.equal(scripted.url(), address)
      await scripted.locator(':focus', { hasText: /^All is well$/ }).waitFor()
      assert.equal(await scripted.locator('strong').textContent(), 'read')
      assert.deepEqual(await takeAnswers(), RIGHT_ANSWERS)
      await checkAccessibility(scripted)
    },
  )

  await t.test('a failing script leaves the plain form without axe violations', async (t) => {
    const context = await browser.newContext()
    t.after(() => context.close())
    const broken = { body: 'throw new Error()', contentType: 'text/javascript' }
    await context.route('**/_astro/*.js', (route) => route.fulfill(broken))
    const page = await context.newPage()
    await page.goto(address)
    await sendWrong(page)
    assert.match(await page.title(), /^Please check your answers/)
    await checkAccessibility(page)
  })

  await t.test('the form works by keyboard: errors, links to fields, and sending', async () => {
    for (const page of [plain, scripted]) {
      await page.goto(address)
      // Long before it is opened: until the browser heard of it, it opens its own window.
      const chosen = Promise.withResolvers<void>()
      page.once('filechooser', (chooser) => chooser.setFiles(PHOTO).then(chosen.resolve, chosen.reject))
      await sendWrong(page)
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key)
      }
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
      await press('Tab', 'Enter')
      await waitFor(async () => (await focused()) === 'full_name')
      await page.keyboard.type('Ada')
      const typed = ['ada@example.com', '5550100123', 'Hello there']
      for (const text of typed) {
        await press('Tab', 'Control+a')
        await page.keyboard.type(text)
      }
      await press('Tab')
      await page.keyboard.type('Sm')
      await press('Tab', 'Space')
      await waitFor(async () => (await focused()) === 'building')
      await press('Tab', 'Space', 'Tab', 'Tab', 'Space')
      await waitFor(async () => (await focused()) === 'terms')
      for (const text of ['https://example.com/', '2.5']) {
        await press('Tab', 'Control+a')
        await page.keyboard.type(text)
      }
      await press('Tab')
      // Its parts are requested in the order that the browser's language has.
      await page.keyboard.type('12242026')
      for (let tabs = 0; tabs < 5 && (await focused()) !== 'photo'; tabs += 1) await press('Tab')
      await press('Enter')
      await chosen.promise
      await press('Tab', 'Enter')
      await page.getByRole('heading', { name: 'All is well' }).waitFor()
      assert.deepEqual(await takeAnswers(), {
        ...RIGHT_ANSWERS,
        ...{ full_name: 'Ada', phone: '5550100123', size: 's', building: 'h' },
      })
    }
  })

  await t.test('the form script is one file of at most 4 KB, gzipped', async () => {
    const html = await (await fetch(address)).text()
    const sources = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => source)
    assert.equal(sources.length, 2)
    const script = Buffer.from(await (await fetch(url + sources[0])).arrayBuffer())
    assert.doesNotMatch(script.toString(), /\bfrom"\.\/|\bimport\(/)
    const bytes = gzipSync(script).length
    assert.ok(bytes <= MAX_SCRIPT_BYTES, `${bytes} bytes`)
  })
})
