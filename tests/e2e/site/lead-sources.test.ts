import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { App } from '#src/app.ts'
import { EVERY_LEAD } from '#src/db/lead-scope/lead-scope.ts'
import { TOUCH_KEYS } from '#src/db/tables/submission-source.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { findSubmission } from '#src/submissions/submission-store.ts'
import { openBrowser } from '../../support/browser.ts'
import { storeForm } from '../../support/forms.ts'
import { startFront } from '../../support/front.ts'

const TAGGED =
  '/services/ac-repair?utm_source=google&utm_medium=cpc&utm_campaign=boiler-2026&gclid=abc&q=private'

async function start(t: TestContext, settings: { attribution?: boolean } = {}) {
  return startFront(t, {
    prepare: async ({ db }) => {
      await storeForm(db, 'quote', { fields: [{ name: 'email', label: 'Email', required: true }] })
      const saved = { ...(await findSiteSettings(db)), ...settings }
      await saveSiteSettings(db, saved, { now: new Date().toISOString() })
    },
  })
}

async function openTab(t: TestContext, options: { javaScriptEnabled?: boolean } = {}) {
  const context = await (await openBrowser()).newContext(options)
  t.after(() => context.close())
  return context.newPage()
}

type Tab = Awaited<ReturnType<typeof openTab>>

async function send(tab: Tab, url: string) {
  await tab.goto(`${url}/forms/quote`)
  await sendHere(tab)
}

async function sendHere(tab: Tab) {
  await tab.getByLabel('Email').fill('ada@example.com')
  await Promise.all([
    tab.waitForResponse((response) => response.url().includes('/submissions')),
    tab.getByRole('button', { name: 'Send' }).click(),
  ])
}

async function lastLead({ db }: App) {
  const { id } = await db
    .selectFrom('form_submissions')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return findSubmission(db, Number(id), EVERY_LEAD)
}

test('a lead records the ad and the pages before it', async (t) => {
  const { url, app } = await start(t)
  const tab = await openTab(t)
  await tab.goto(url + TAGGED, { referer: 'https://www.google.com/' })
  await tab.goto(`${url}/services`, { referer: `${url}/services/ac-repair` })
  await send(tab, url)
  const lead = await lastLead(app)
  const { at, ...touch } = lead?.source?.last ?? {}
  assert.ok(Date.parse(String(at)) > Date.now() - 60_000)
  assert.deepEqual(touch, {
    landing_page: '/services/ac-repair',
    referrer: 'https://www.google.com/',
    utm_source: 'google',
    utm_medium: 'cpc',
    utm_campaign: 'boiler-2026',
    gclid: 'abc',
  })
  assert.deepEqual(lead?.source?.first, lead?.source?.last)
  assert.deepEqual(lead?.source?.pages, ['/services/ac-repair', '/services', '/forms/quote'])
  assert.equal(lead?.sourceName, 'ads:google')

  await t.test('a later visit is the last touch, beside the first', async () => {
    await tab.goto(`${url}/services`, { referer: 'https://www.bing.com/' })
    await send(tab, url)
    const { source, sourceName } = (await lastLead(app)) ?? {}
    assert.equal(sourceName, 'search:bing')
    assert.deepEqual([source?.first?.gclid, source?.last?.gclid], ['abc', undefined])
  })

  await t.test('nothing is stored outside the tab’s session storage', async () => {
    assert.deepEqual(await tab.context().cookies(), [])
    assert.equal(await tab.evaluate(() => localStorage.length), 0)
  })
})

test('without JavaScript a lead records its page and the tags of its URL', async (t) => {
  const { url, app } = await start(t)
  const tab = await openTab(t, { javaScriptEnabled: false })
  await tab.goto(`${url}/forms/quote?utm_source=van&fbclid=f`)
  await sendHere(tab)
  const lead = await lastLead(app)
  const { at: _, ...touch } = lead?.source?.last ?? {}
  assert.deepEqual(touch, {
    landing_page: '/forms/quote',
    referrer: `${url}/forms/quote`,
    utm_source: 'van',
    fbclid: 'f',
  })
  assert.equal(lead?.sourceName, 'campaign:van')
})

test('visitors with Global Privacy Control aren’t tracked', async (t) => {
  const { url, app } = await start(t)
  const tab = await openTab(t)
  await tab.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
  await tab.setExtraHTTPHeaders({ 'sec-gpc': '1' })
  await tab.goto(url + TAGGED)
  assert.equal(await tab.evaluate(() => sessionStorage.getItem('signpost:visit')), null)
  await send(tab, url)
  const lead = await lastLead(app)
  assert.deepEqual([lead?.source, lead?.sourceName], [{ optedOut: true }, null])
  assert.equal(lead?.pagePath, '/forms/quote')
})

test('with lead sources off, pages have no script and leads record no source', async (t) => {
  const { url, app } = await start(t, { attribution: false })
  const tab = await openTab(t)
  await tab.goto(url + TAGGED)
  assert.equal(await tab.evaluate(() => sessionStorage.getItem('signpost:visit')), null)
  await send(tab, url)
  assert.equal((await lastLead(app))?.source, null)
})

test('the script is at most 1 KB and reads the tags that leads store', async (t) => {
  const { app, url } = await start(t)
  const page = await (await fetch(`${url}/services`)).text()
  const [, script = ''] = /<script type="module" src="([^"]+)">/.exec(page) ?? []
  const folder = join(app.config.dataDir, 'current/site')
  assert.ok((await readdir(folder)).includes('services.html'))
  const code = await readFile(join(folder, script), 'utf8')
  t.diagnostic(`${Buffer.byteLength(code)} bytes minified`)
  assert.ok(Buffer.byteLength(code) <= 1_024, `${Buffer.byteLength(code)} bytes`)
  const noted = TOUCH_KEYS.filter((key) => code.includes(key))
  assert.deepEqual(noted, [...TOUCH_KEYS])
})
