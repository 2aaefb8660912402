import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { App } from '#src/app.ts'
import { findSiteSettings, saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { loadReport } from '#src/submissions/results/load-report.ts'
import { openBrowser } from '../../support/browser.ts'
import { startFront } from '../../support/front.ts'

const PERIOD = new Date().toISOString().slice(0, 7)
const AUSTIN = '/services/ac-repair/austin'

const start = (t: TestContext) =>
  startFront(t, {
    prepare: async ({ db }) => {
      const saved = { ...(await findSiteSettings(db)), phone: '+1 512 555 0142' }
      await saveSiteSettings(db, saved, { now: new Date().toISOString() })
    },
  })

async function openTab(t: TestContext, userAgent?: string) {
  // Chromium without a window calls itself a robot.
  const name =
    userAgent ?? 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36'
  const context = await (await openBrowser()).newContext({ userAgent: name })
  t.after(() => context.close())
  return context.newPage()
}

/** What was counted once the counter has had its turn: a page that is viewed last tells that it has. */
async function countedOf({ db }: App, isThere: (report: Awaited<ReturnType<typeof loadReport>>) => boolean) {
  for (let waited = 0; waited < 12_000; waited += 200) {
    const report = await loadReport(db, { period: PERIOD, scope: { places: null } })
    if (isThere(report)) return report
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return loadReport(db, { period: PERIOD, scope: { places: null } })
}

test('views are counted once by page, place, and source, without bots', async (t) => {
  const { url, app } = await start(t)
  const tab = await openTab(t)
  await tab.goto(`${url}${AUSTIN}?gclid=abc`)
  await tab.goto(`${url}/services`, { referer: url + AUSTIN })
  const robot = await openTab(t, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')
  await robot.goto(`${url}/services`)
  await fetch(`${url}/services`, { headers: { 'user-agent': 'curl/8.0' } })
  await fetch(`${url}/no-such-page`)
  const report = await countedOf(app, ({ total }) => total.views >= 2)
  const views = (rows: { subject: string; views: number }[]) =>
    Object.fromEntries(rows.map((row) => [row.subject, row.views]))
  assert.equal(report.total.views, 2)
  assert.deepEqual(views(report.pages), { [AUSTIN]: 1, '/services': 1 })
  const idOf = async (table: 'taxonomy_terms' | 'content_entries', slug: string) =>
    (await app.db.selectFrom(table).select('id').where('slug', '=', slug).executeTakeFirstOrThrow()).id
  const [place, service] = [
    await idOf('taxonomy_terms', 'austin'),
    await idOf('content_entries', 'ac-repair'),
  ]
  assert.deepEqual(views(report.places), { [`#${place}`]: 1, '': 1 })
  assert.deepEqual(views(report.services), { [`#${service}`]: 1, '': 1 })
  assert.deepEqual(views(report.sources), { 'ads:google': 1, onsite: 1 })
})

test('a phone tap counts for its page and for the visit’s source', async (t) => {
  const { url, app } = await start(t)
  const tab = await openTab(t)
  await tab.goto(`${url}${AUSTIN}`, { referer: 'https://www.bing.com/' })
  await Promise.all([
    tab.waitForResponse((response) => response.url().endsWith('/api/visits')),
    tab.evaluate(() => {
      const link = document.querySelector<HTMLElement>('a[href^="tel:"]')
      // No program takes calls here.
      link?.addEventListener('click', (event) => event.preventDefault())
      link?.click()
    }),
  ])
  const report = await countedOf(app, ({ total }) => total.taps > 0)
  assert.equal(report.total.taps, 1)
  assert.deepEqual(
    report.pages.map(({ subject, taps }) => [subject, taps]),
    [[AUSTIN, 1]],
  )
  assert.deepEqual(report.sources.find(({ taps }) => taps > 0)?.subject, 'search:bing')
})

test('a page on another host reports its own views; missing pages don’t count', async (t) => {
  const { url, app } = await start(t)
  const tab = await openTab(t)
  // As a static host answers: the same page, not counted.
  await tab.route(`${url}/services`, async (route) => {
    const { status, text, headers } = await fetch(`${url}/services`).then(async (answer) => ({
      status: answer.status,
      text: await answer.text(),
      headers: Object.fromEntries(answer.headers),
    }))
    const { 'server-timing': _, ...rest } = headers
    await route.fulfill({ status, body: text, headers: rest })
  })
  await Promise.all([
    tab.waitForResponse((response) => response.url().endsWith('/api/visits')),
    tab.goto(`${url}/services`),
  ])
  await tab.evaluate(() =>
    fetch('/api/visits', { method: 'POST', body: new URLSearchParams({ event: 'view', page: '/made-up' }) }),
  )
  const report = await countedOf(app, ({ total }) => total.views > 0)
  assert.deepEqual(
    report.pages.map(({ subject, views }) => [subject, views]),
    [['/services', 1]],
  )
})
