import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { App } from '#src/app.ts'
import { siteSettings } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { startFront } from '../../support/front.ts'
import { readSitePages } from '../../support/site-pages.ts'
import { addEntry, addProjects } from '../../support/small-site.ts'

/** One page of each kind. */
const SERVED = [
  ...['/', '/services', '/services/ac-repair', '/services/ac-repair/austin', '/about', '/projects/2026/roof'],
  ...['/taxonomy/locations', '/taxonomy/locations/austin', '/forms/waitlist', '/forms/waitlist/thanks'],
]
const KINDS = [...SERVED, '/404', '/410', '/500']

async function addKinds({ db }: App) {
  const titles = { about: 'About', oel: 'Öl', zebra: 'Zebra' }
  for (const [slug, title] of Object.entries(titles)) await addEntry(db, 'pages', { slug, title })
  await addProjects(db)
  await addEntry(db, 'projects', { slug: '2026/roof', title: 'A roof' })
  await db.updateTable('taxonomies').set({ has_archive: 1 }).where('slug', '=', 'locations').execute()
}

async function aSite(t: Parameters<typeof startFront>[0], settings: object) {
  const saved = siteSettings.parse({ name: 'Shannon', default_form: 'waitlist', ...settings })
  const prepare = async (app: App) => {
    await addKinds(app)
    await saveSiteSettings(app.db, saved, { now: '2026-11-20T10:00:00.000Z' })
  }
  const { app, url } = await startFront(t, { prepare })
  return { url, siteDir: join(app.config.dataDir, 'current', 'site') }
}

const EGYPT = { language: 'ar-EG', country: 'EG', phone: '02 25555555' }

test('every kind of page uses the site’s language, direction, and phone numbers', async (t) => {
  const { url, siteDir } = await aSite(t, EGYPT)
  const pages = readSitePages(siteDir)
  for (const path of KINDS) assert.ok(pages.has(path), path)
  for (const [path, html] of pages) {
    assert.match(html, /^<!DOCTYPE html><html lang="ar-EG" dir="rtl">/i, path)
    assert.match(html, /property="og:locale" content="ar_EG"/, path)
    assert.deepEqual(new Set(html.match(/"inLanguage":"[^"]*"/g)), new Set(['"inLanguage":"ar-EG"']), path)
    assert.deepEqual(new Set(html.match(/href="tel:[^"]*"/g)), new Set(['href="tel:+20225555555"']), path)
  }

  const invalid = await fetch(`${url}/api/forms/waitlist/submissions`, {
    method: 'POST',
    headers: { accept: 'text/html', origin: url },
    body: new URLSearchParams({ email: 'nobody' }),
  })
  const missing = await fetch(`${url}/nowhere`, { headers: { accept: 'text/html' } })
  assert.deepEqual([invalid.status, missing.status], [422, 404])
  for (const answer of [invalid, missing])
    assert.match(await answer.text(), /^<!DOCTYPE html><html lang="ar-EG" dir="rtl">/i, answer.url)

  const embed = readFileSync(join(siteDir, 'forms/waitlist/embed.js'), 'utf8')
  assert.match(embed, /"lang":"ar-EG","dir":"rtl"/)

  const page = await openPage(t, await openBrowser(), { viewport: { width: 390, height: 800 } })
  for (const path of SERVED) {
    await page.goto(url + path)
    const scrolls = await page.evaluate(() => {
      window.scrollTo(-500, 0)
      return [document.documentElement.scrollWidth > innerWidth, window.scrollX !== 0]
    })
    assert.deepEqual(scrolls, [false, false], `${path} scrolls sideways`)
  }
})

test('names are sorted by the site’s language', async (t) => {
  const named = async (language: string) => {
    const { siteDir } = await aSite(t, { language })
    const footer = /<footer[\s\S]*<\/footer>/.exec(readSitePages(siteDir).get('/about') ?? '')?.[0] ?? ''
    return [...footer.matchAll(/href="\/(about|oel|zebra)"/g)].map(([, slug]) => slug)
  }
  assert.deepEqual(await named('sv'), ['about', 'zebra', 'oel'])
  assert.deepEqual(await named('de'), ['about', 'oel', 'zebra'])
})
