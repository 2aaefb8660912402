import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { syncContent } from '#src/content-files/syncing/sync-content.ts'
import { openPictureFiles } from '#src/pictures/picture-files.ts'
import { BROWSERS } from '../../support/browsers/installed.ts'
import { fillForm, focusAfter, SEND, waitUntil } from '../../support/browsers/journey.ts'
import type { BrowserTab } from '../../support/browsers/tab.ts'
import { temporaryFolder } from '../../support/database.ts'
import { EVERY_FIELD, PHOTO, RIGHT_ANSWERS, readAnswers } from '../../support/every-field.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'
import { aPartOfTheExample } from '../../support/part-of-example.ts'

// The form is the page, is below others on it, or beside them.
const VISITS = [
  ['/contact', 460],
  ['/forms/quote', 1280],
  ['/services/ac-repair/austin', 460],
] as const
const SUMMARY = '[role=alert]'
const HEADING = '#form :is(h1, h2)'
const MISTAKE = { isInvalid: 'true', notes: ['As on your letters', 'Fill in this field'] }
const TYPED = {
  ...{ full_name: 'Ada Lovelace', email: 'ada@example.com', phone: '+44 20 7946 0958' },
  ...{ message: 'Hello there', website: 'https://example.com/', budget: '2.5' },
}
// In the order of the form. Radio buttons are one stop, as is each box.
const KEYS = {
  ...{ full_name: TYPED.full_name, email: TYPED.email, phone: TYPED.phone, message: TYPED.message },
  ...{ size: '', building: ' ', extras: ' ', terms: ' ', website: TYPED.website, budget: TYPED.budget },
  day: '',
}
const MOST_STOPS = 8
const QUOTE = {
  ...{ full_name: 'Ada Lovelace', email: 'ada@example.com', phone: '(512) 555-0100' },
  ...{ service: 'ac-repair', property_type: 'house' },
}

/** The example's site and a form with every type of field. At `plainUrl` scripts do not arrive. */
async function startSite(t: TestContext) {
  const { app, server, url } = await startFront(t, {
    prepare: async ({ db, secretBox, config }) => {
      const result = await syncContent(db, {
        ...{ contentDir: aPartOfTheExample(t), environment: {}, prefer: 'file' },
        ...{ secretBox, pictureFiles: openPictureFiles(config.dataDir), now: new Date() },
      })
      assert.equal(result.kind, 'synced', JSON.stringify(result))
      await storeForm(db, 'everything', EVERY_FIELD)
    },
  })
  withholdScripts(server, 'localhost')
  const photo = join(temporaryFolder(t), PHOTO.name)
  writeFileSync(photo, PHOTO.buffer)
  const takeAnswers = async () => {
    const row = await app.db
      .selectFrom('form_submissions')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst()
    await app.db.deleteFrom('form_submissions').execute()
    return readAnswers(row?.data_json)
  }
  return { url, plainUrl: url.replace('127.0.0.1', 'localhost'), photo, takeAnswers }
}

function withholdScripts(server: Server, host: string) {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const isScript = request.url?.endsWith('.js') && request.headers.host?.startsWith(`${host}:`)
    if (isScript) response.writeHead(404).end()
    else for (const listener of listeners) listener.call(server, request, response)
  })
}

test('a visitor sends a form', async (t) => {
  const { url, plainUrl, photo, takeAnswers } = await startSite(t)

  for (const { name, withoutBrowser, open } of BROWSERS) {
    await t.test(name, { skip: withoutBrowser }, async (t) => {
      const tab = await open(t)

      async function openEverything(site: string) {
        await tab.setWidth(460)
        await tab.open(`${site}/forms/everything`)
      }

      async function fillEverything() {
        for (const [field, text] of Object.entries(TYPED)) await tab.type(`[name=${field}]`, text)
        await fillForm(tab, { size: 'l', building: 'f', extras: 'g', terms: 'true', day: '2026-12-24' })
        await tab.choose('[name=photo]', photo)
      }

      await t.test('with every field type, after an error', async () => {
        await openEverything(url)
        const summary = await focusAfter(tab, SUMMARY, () => tab.click(SEND))
        assert.match(summary.text, /^Please check 6 answers/)
        assert.ok(summary.isInView, `the summary is ${summary.top} px from the top`)
        assert.deepEqual(await tab.run(toldMistake, 'full_name'), MISTAKE)
        await fillEverything()
        const thanks = await focusAfter(tab, HEADING, () => tab.click(SEND))
        assert.equal(thanks.text, 'All is well')
        assert.ok(thanks.isInView, `the thank-you is ${thanks.top} px from the top`)
        assert.deepEqual(await takeAnswers(), RIGHT_ANSWERS)
      })

      await t.test('the same without the script', async () => {
        await openEverything(plainUrl)
        await tab.run(() => {
          for (const form of document.forms) form.noValidate = true
        }, null)
        await tab.click(SEND)
        await waitUntil(tab, isInView, SUMMARY)
        await waitUntil(tab, isFocused, SUMMARY)
        assert.deepEqual(await tab.run(toldMistake, 'full_name'), MISTAKE)
        await tab.run(stopSmoothScrolling, null)
        await tab.click('[href="#everything-terms"]')
        await waitUntil(tab, isInView, '.sp-choice:has(#everything-terms)')
        await tab.click('[href="#everything-size"]')
        await waitUntil(tab, isInView, 'label[for=everything-size]')
        await fillEverything()
        await tab.click(SEND)
        await waitUntil(tab, isInView, '.lead')
        assert.equal(await tab.run(() => location.pathname, null), '/forms/everything/thanks')
        assert.deepEqual(await tab.run(shownOffers, null), [])
        assert.deepEqual(await takeAnswers(), RIGHT_ANSWERS)
      })

      await t.test('by keyboard alone', async () => {
        await openEverything(url)
        await focusAfter(tab, SUMMARY, () => tab.click(SEND))
        await tab.press('Tab')
        await tab.press('Enter')
        await waitUntil(tab, isInView, 'label[for=everything-full_name]')
        await waitUntil(tab, isFocused, '#everything-full_name')
        for (const [field, keys] of Object.entries(KEYS)) {
          await tabTo(tab, `[name=${field}]`)
          if (keys === ' ') await tab.press(' ')
          else await tab.write(keys)
        }
        // How keys fill these differs by browser and language.
        await fillForm(tab, { size: 'l', day: '2026-12-24' })
        await tabTo(tab, '[type=file]')
        await tab.choose('[name=photo]', photo)
        await tabTo(tab, '[type=submit]')
        const thanks = await focusAfter(tab, HEADING, () => tab.press('Enter'))
        assert.equal(thanks.text, 'All is well')
        assert.deepEqual(await takeAnswers(), { ...RIGHT_ANSWERS, building: 'h' })
      })

      await t.test('and reads the thank-you', async () => {
        for (const [path, width] of VISITS) await readThanks(tab, url + path, width)
        assert.equal(await tab.run(prefersReducedMotion, null), false)
      })

      await t.test('and reads the thank-you, with reduced motion', async (t) => {
        const calm = await open(t, { reducedMotion: true })
        await readThanks(calm, `${url}/contact`, 460)
        assert.equal(await calm.run(prefersReducedMotion, null), true)
      })
    })
  }
})

async function readThanks(tab: BrowserTab, address: string, width: number) {
  await tab.setWidth(width)
  await tab.open(address)
  const summary = await focusAfter(tab, SUMMARY, () => tab.click(SEND))
  assert.ok(summary.isInView, `${address} at ${width}: the summary is ${summary.top} px from the top`)
  await fillForm(tab, QUOTE)
  const thanks = await focusAfter(tab, HEADING, () => tab.click(SEND))
  assert.equal(thanks.text, 'Thank you, we have your request')
  assert.ok(thanks.isInView, `${address} at ${width}: the thank-you is ${thanks.top} px from the top`)
  assert.deepEqual(await tab.run(shownOffers, null), [])
}

// A date has a stop for each of its parts.
async function tabTo(tab: BrowserTab, selector: string) {
  for (let stops = 0; !(await tab.run(isFocused, selector)); stops += 1) {
    assert.ok(stops < MOST_STOPS, `${selector} was not reached`)
    await tab.press('Tab')
  }
}

// The following run in the page.
function isFocused(selector: string) {
  return document.activeElement?.matches(selector) ?? false
}

function toldMistake(name: string) {
  const field = document.querySelector(`[name=${name}]`)
  const notes = field?.getAttribute('aria-describedby')?.split(' ') ?? []
  return {
    isInvalid: field?.getAttribute('aria-invalid'),
    notes: notes.map((id) => document.getElementById(id)?.textContent?.trim()),
  }
}

function stopSmoothScrolling() {
  document.documentElement.style.scrollBehavior = 'auto'
}

function isInView(selector: string) {
  const { top, bottom } = document.querySelector(selector)?.getBoundingClientRect() ?? { top: -1, bottom: 0 }
  return top >= 0 && bottom <= innerHeight
}

// Links to a form, beside those to other pages.
function shownOffers() {
  const links = [...document.querySelectorAll<HTMLElement>('[href="#form"], .sp-bar a:not([href^="tel:"])')]
  return links.filter((link) => link.offsetParent !== null).map(({ outerHTML }) => outerHTML)
}

function prefersReducedMotion() {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
