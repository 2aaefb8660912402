import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkEveryLook } from '../../support/accessibility.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/database.ts'
import { htmlErrors, nuErrors, withoutJava } from '../../support/html-validators.ts'
import { colorsWith, documentedProperties, uselessProperties } from '../../support/own-styles.ts'
import { paleInPrint } from '../../support/print.ts'
import { startSite } from '../../support/running-site.ts'
import {
  bytesInLook,
  LOOK_NAMES,
  outsideOfLayers,
  renderInLook,
  type SiteInLook,
  showInLook,
  stylesOf,
} from '../../support/site-looks.ts'
import {
  brokenLinks,
  bytesOfPage,
  clicksFromHome,
  crumbsOf,
  linksOf,
  readSitePages,
} from '../../support/site-pages.ts'

const MOST_CLICKS = 4
const MOST_KILOBYTES = 14
/** Location pages that are measured in the other looks: the heaviest ones. */
const HEAVY_PAGES = 40
/** Answers of the program, not pages that anything leads to. */
const ANSWERS = /^\/(404|410|500|forms\/[a-z-]+\/thanks)$/
/** One of each type; a location page with much of its own, and one that inherits. */
const PAGE_TYPES = [
  '/',
  '/services',
  '/services/ac-repair',
  '/services/ac-repair/hyde-park',
  '/services/furnace-repair/tulsa',
  '/forms/quote',
  '/forms/quote/thanks',
  '/about',
  '/contact',
]
/** Where looks differ most. */
const LOOK_PAGES = [
  '/',
  '/services',
  '/services/ac-repair',
  '/services/ac-repair/hyde-park',
  '/forms/quote',
  '/about',
]
const VALIDATED = [...PAGE_TYPES, '/404', '/410', '/500']
test('visitors and search engines can browse the example site', async (t) => {
  const dataDir = temporaryFolder(t)
  const site = await startSite(t, { dataDir })
  const siteDir = join(dataDir, 'current', 'site')
  const pages = readSitePages(siteDir)
  const heaviest = [...pages]
    .filter(([path]) => isLocation(path))
    .map(([path, html]) => ({ path, bytes: bytesOfPage(siteDir, html) }))
    .toSorted((a, b) => b.bytes - a.bytes)
  const heavy = new Set(heaviest.slice(0, HEAVY_PAGES).map(({ path }) => path))
  const isWanted = (path: string) => VALIDATED.includes(path) || heavy.has(path)
  const looks = new Map<string, SiteInLook>()
  for (const look of LOOK_NAMES)
    looks.set(look, await renderInLook(dataDir, { look, siteUrl: site.url, isWanted }))
  const browser = await openBrowser()

  await t.test('every internal link resolves to a page and an existing anchor', () => {
    assert.deepEqual(brokenLinks(pages), [])
  })

  await t.test(`every page is at most ${MOST_CLICKS} clicks away from the start page`, () => {
    const clicks = clicksFromHome(pages)
    const far = [...pages.keys()].filter(
      (path) => !ANSWERS.test(path) && (clicks.get(path) ?? Number.POSITIVE_INFINITY) > MOST_CLICKS,
    )
    assert.deepEqual(far, [])
    assert.ok(clicks.size > 370)
  })

  await t.test('each location page of the example is listed', () => {
    const hidden = [...pages].filter(([path, html]) => isLocation(path) && html.includes('content="noindex"'))
    assert.deepEqual(
      hidden.map(([path]) => path),
      [],
    )
  })

  await t.test(`no location page has more than ${MOST_KILOBYTES} KB of HTML and CSS, gzipped`, () => {
    const [most] = heaviest
    assert.ok(most)
    t.diagnostic(`heaviest location page: ${most.bytes} bytes of HTML and CSS (${most.path})`)
    assert.ok(most.bytes <= MOST_KILOBYTES * 1024)
  })

  await t.test('§4 the visible breadcrumb: a step is a link only if its page exists', () => {
    for (const [path, html] of pages) {
      const steps = crumbsOf(html)
      if (steps.length > 0) assert.match(steps.at(-1) ?? '', / aria-current="page"/, path)
      for (const href of steps.flatMap(linksOf)) assert.ok(pages.has(href), `${path}: ${href}`)
    }
    const trail = crumbsOf(pages.get('/services/ac-repair/hyde-park') ?? '')
    assert.deepEqual(trail.flatMap(linksOf), [
      '/',
      '/services',
      '/services/ac-repair',
      '/services/ac-repair/texas',
      '/services/ac-repair/austin',
    ])
    assert.match(trail[3] ?? '', /^<li>\s*United States\s*<\/li>$/)
  })

  await t.test('html-validate and the Nu validator find no error in any look', async (t) => {
    const all = [{ look: 'default', pages }, ...[...looks].map(([look, shown]) => ({ look, ...shown }))]
    const folder = temporaryFolder(t)
    const files: string[] = []
    for (const { look, pages } of all)
      for (const path of VALIDATED) {
        const html = pages.get(path)
        assert.ok(html, `${look} ${path}`)
        assert.deepEqual(await htmlErrors(html), [], `${look} ${path}`)
        files.push(join(folder, `${look}${path.replaceAll('/', '-')}.html`))
        writeFileSync(files.at(-1) ?? '', html)
      }
    if (!withoutJava()) assert.deepEqual(nuErrors(files), [])
  })

  await t.test(
    'axe finds no violation, nothing is wider than the screen, no script but the form’s and no foreign request',
    async (t) => {
      const page = await openPage(t, browser, {})
      const requested = new Set<string>()
      page.on('request', (request) => requested.add(new URL(request.url()).origin))
      for (const path of PAGE_TYPES) {
        await page.goto(site.url + path)
        await assertScripts(page, path)
        await checkEveryLook(page)
      }
      assert.deepEqual([...requested], [site.url])
    },
  )

  await t.test('every CSS rule is in a layer and none is !important, so that custom stylesheets win', () => {
    const styles = stylesOf(siteDir, pages.get('/') ?? '')
    assert.ok(styles.length >= 2)
    for (const css of styles) {
      assert.doesNotMatch(css, /!important/)
      assert.deepEqual(outsideOfLayers(css), [])
    }
  })

  await t.test(
    'a layer of the site wins, and every documented custom property changes something',
    async (t) => {
      const page = await openPage(t, browser, {})
      await page.goto(`${site.url}/services/ac-repair/hyde-park`)
      for (const css of ['a { color: rgb(1, 2, 3) }', '@layer site { a { color: rgb(1, 2, 3) } }'])
        assert.deepEqual(await colorsWith(page, css), ['rgb(1, 2, 3)'], css)
      const names = documentedProperties()
      assert.ok(names.length > 12)
      assert.deepEqual(await uselessProperties(page, names), [])
    },
  )

  for (const [look, shown] of looks) {
    await t.test(`the look ${look}: accessible and as light`, async (t) => {
      assert.match(shown.pages.get('/services/ac-repair/hyde-park') ?? '', /<picture>.*<picture>/s)
      assert.doesNotMatch(shown.theme.css, /!important/)
      assert.deepEqual(outsideOfLayers(shown.theme.css), [])
      const sizes = [...heavy].map((path) => bytesInLook(siteDir, shown, shown.pages.get(path) ?? ''))
      t.diagnostic(`heaviest location page: ${Math.max(...sizes)} bytes of HTML and CSS`)
      assert.ok(Math.min(...sizes) > 5_000 && Math.max(...sizes) <= MOST_KILOBYTES * 1024)
      const page = await openPage(t, browser, {})
      await showInLook(page, shown)
      for (const path of LOOK_PAGES) {
        await page.goto(site.url + path)
        await checkEveryLook(page)
        assert.deepEqual(await paleInPrint(page), [], path)
      }
    })
  }

  await t.test('a printed page leaves out menus, and its text is dark on white paper', async (t) => {
    const page = await openPage(t, browser, {})
    for (const path of LOOK_PAGES) {
      await page.goto(site.url + path)
      assert.deepEqual(await paleInPrint(page), [], path)
    }
    await page.emulateMedia({ media: 'print' })
    const phone = page.getByRole('link', { name: /\(\d{3}\)/ }).first()
    const left = page
      .locator('.sp-menu, .sp-menu-button, .sp-crumbs, .sp-bar, .sp-skip')
      .filter({ visible: true })
    assert.deepEqual([await phone.isVisible(), await left.count()], [true, 0])
  })

  await t.test(
    'a map is asked for by a click only, may be framed on its page only, and is a link without',
    async (t) => {
      const policyOf = async (path: string, headers: Record<string, string> = {}) => {
        const response = await fetch(site.url + path, { headers })
        return { policy: response.headers.get('content-security-policy') ?? '', response }
      }
      const withMap = await policyOf('/services/ac-repair/hyde-park')
      assert.match(withMap.policy, /frame-src https:\/\/www\.openstreetmap\.org /)
      const etag = withMap.response.headers.get('etag') ?? ''
      const again = await policyOf('/services/ac-repair/hyde-park', { 'if-none-match': etag })
      assert.deepEqual([again.response.status, again.policy], [304, withMap.policy])
      assert.doesNotMatch((await policyOf('/services/ac-repair')).policy, /frame-src/)

      const page = await openPage(t, browser, { javaScriptEnabled: false })
      const asked: string[] = []
      await page.route(/openstreetmap/, (route) => {
        asked.push(route.request().url())
        return route.fulfill({ contentType: 'text/html', body: '<p>The map</p>' })
      })
      await page.goto(`${site.url}/services/ac-repair/hyde-park`)
      assert.deepEqual(asked, [])
      await page.getByRole('link', { name: 'Show map' }).click()
      await page.frameLocator('iframe[name=map]').getByText('The map').waitFor()
      assert.equal(asked.length, 1)
      assert.match(String(await page.getByRole('link', { name: 'Open map' }).getAttribute('href')), /^https:/)
    },
  )

  await t.test('the menu opens and closes by keyboard and links to every service', async (t) => {
    const page = await openPage(t, browser, { viewport: { width: 390, height: 800 } })
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await page.getByRole('link', { name: 'All services and areas' }).waitFor()
    assert.equal(await page.locator('#menu a[href^="/services/"]').count(), 8)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All services and areas' }).waitFor({ state: 'hidden' })
  })
})

function isLocation(path: string): boolean {
  return /^\/services\/[^/]+\/[^/]+$/.test(path)
}

// An external module that notes visits, and one for a form; nothing else.
async function assertScripts(page: Page, path: string) {
  const scripts = page.locator('script:not([type="application/ld+json"])')
  const found = await scripts.evaluateAll((all) =>
    all.map((script) => [script.getAttribute('type'), script.getAttribute('src'), script.textContent]),
  )
  const hasForm = (await page.locator('form').count()) > 0
  assert.equal(found.length, hasForm ? 2 : 1, path)
  for (const [type, src, text] of found) {
    assert.deepEqual([type, text], ['module', ''], path)
    assert.match(String(src), /^\/_astro\/[\w.-]+\.js$/, path)
  }
}
