import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openBrowser, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/database.ts'
import { startSite } from '../support/running-site.ts'

const MOST_CLICKS = 4
const MOST_KILOBYTES = 14
/** Answers of the program, not pages that anything leads to. */
const ANSWERS = /^\/(404|410|500|forms\/[a-z-]+\/thanks)$/

function pagesOf(siteDir: string): Map<string, string> {
  const files = readdirSync(siteDir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  return new Map(
    files.map((name) => {
      const path = name === 'index.html' ? '/' : `/${name.slice(0, -'.html'.length)}`
      return [path, readFileSync(join(siteDir, name), 'utf8')]
    }),
  )
}

function idsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  )
}

/** The steps of the visible breadcrumb. */
function crumbsOf(html: string): string[] {
  const [list = ''] = /<nav class="crumbs".*?<\/nav>/s.exec(html) ?? []
  return list.match(/<li.*?<\/li>/gs) ?? []
}

function leadsSomewhere(pages: Map<string, string>, html: string, href: string): boolean {
  const [target = '', id] = href.split('#')
  const there = target === '' ? html : pages.get(target)
  return there !== undefined && (!id || idsOf(there).has(id))
}

/** How many clicks each page is away from the start page. */
function clicksFromHome(pages: Map<string, string>): Map<string, number> {
  const clicks = new Map([['/', 0]])
  for (const [path, count] of clicks) {
    for (const href of linksOf(pages.get(path) ?? '')) {
      const [target = ''] = href.split('#')
      if (pages.has(target) && !clicks.has(target)) clicks.set(target, count + 1)
    }
  }
  return clicks
}

function bytesOfStyles(siteDir: string, html: string): number {
  const sheets = [...html.matchAll(/<link\b[^>]*rel="stylesheet"[^>]*>/g)]
  assert.ok(sheets.length > 0)
  return sheets
    .map(([tag]) => /href="([^"]+)"/.exec(tag)?.[1] ?? '')
    .reduce((sum, href) => sum + gzipSync(readFileSync(join(siteDir, href))).length, 0)
}

test('the example site, as visitors and search engines walk through it', async (t) => {
  const dataDir = temporaryFolder(t)
  const site = await startSite(t, { dataDir })
  const siteDir = join(dataDir, 'current', 'site')
  const pages = pagesOf(siteDir)

  await t.test('every link inside the site leads to a page, and to a place that is on it', () => {
    const broken = [...pages].flatMap(([path, html]) =>
      linksOf(html)
        .filter((href) => /^[/#]/.test(href) && !leadsSomewhere(pages, html, href))
        .map((href) => `${path} → ${href}`),
    )
    assert.deepEqual(broken, [])
  })

  await t.test(`every page is at most ${MOST_CLICKS} clicks away from the start page`, () => {
    const clicks = clicksFromHome(pages)
    const far = [...pages.keys()].filter(
      (path) => !ANSWERS.test(path) && (clicks.get(path) ?? Number.POSITIVE_INFINITY) > MOST_CLICKS,
    )
    assert.deepEqual(far, [])
    assert.ok(clicks.size > 370)
  })

  await t.test(`no location page has more than ${MOST_KILOBYTES} KB of HTML and CSS, gzipped`, () => {
    const weights = [...pages]
      .filter(([path]) => /^\/services\/[^/]+\/[^/]+$/.test(path))
      .map(([path, html]) => ({ path, bytes: gzipSync(html).length + bytesOfStyles(siteDir, html) }))
      .toSorted((a, b) => b.bytes - a.bytes)
    const [heaviest] = weights
    assert.ok(heaviest)
    t.diagnostic(`heaviest location page: ${heaviest.bytes} bytes of HTML and CSS (${heaviest.path})`)
    assert.ok(heaviest.bytes <= MOST_KILOBYTES * 1024)
  })

  await t.test('§4 the visible breadcrumb: a step is a link exactly when its page exists', () => {
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

      const page = await openPage(t, await openBrowser(t), { javaScriptEnabled: false })
      const asked: string[] = []
      await page.route(/openstreetmap/, (route) => {
        asked.push(route.request().url())
        return route.fulfill({ contentType: 'text/html', body: '<p>The map</p>' })
      })
      await page.goto(`${site.url}/services/ac-repair/hyde-park`)
      assert.deepEqual(asked, [])
      await page.getByRole('link', { name: 'Show the map here' }).click()
      await page.frameLocator('iframe[name=map]').getByText('The map').waitFor()
      assert.equal(asked.length, 1)
      assert.match(
        String(await page.getByRole('link', { name: 'Open the map' }).getAttribute('href')),
        /^https:/,
      )
    },
  )

  await t.test('the menu opens and closes by keyboard, and leads to every service', async (t) => {
    const page = await openPage(t, await openBrowser(t), { viewport: { width: 390, height: 800 } })
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await page.getByRole('link', { name: 'All services and places' }).waitFor()
    assert.equal(await page.locator('#menu a[href^="/services/"]').count(), 8)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'All services and places' }).waitFor({ state: 'hidden' })
  })
})
