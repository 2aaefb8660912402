import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openAdminPage, startAdmin } from '../../support/admin.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { temporaryFolder } from '../../support/database.ts'
import { PROJECT_DIR, startSite, waitFor } from '../../support/running-site.ts'

const WIDTHS = [390, 1280]
const LARGEST_LIST_BYTES = 100 * 1024

interface Business {
  name: string
  language: string
  /** Every number that a phone link of these pages may dial. */
  phones: string[]
  pages: string[]
  /** The JSON-LD types of the area that the first location page is about, smallest first. */
  area: string[]
  title: RegExp
  morePlaces: string
  /** How many location pages search engines may list. */
  listed: number
}

const BUSINESSES: readonly Business[] = [
  {
    name: 'irish',
    language: 'en-IE',
    phones: ['tel:+353615550142', 'tel:+353656821234', 'tel:+353871234567'],
    pages: ['/services/boiler-service/ennis', '/', '/services', '/about', '/services/boiler-service'],
    area: ['City', 'AdministrativeArea', 'AdministrativeArea', 'Country'],
    title: /^Boiler service in Ennis, County Clare/,
    morePlaces: 'More areas in County Clare',
    listed: 2,
  },
  {
    name: 'japanese',
    language: 'ja',
    phones: ['tel:+81115550142'],
    pages: ['/services/aircon-cleaning/sapporo', '/', '/services', '/about', '/services/aircon-cleaning'],
    area: ['City', 'State', 'Country'],
    title: /札幌市/,
    morePlaces: 'More areas in 北海道',
    listed: 2,
  },
]

interface Seen {
  overflow: number
  brokenPictures: string[]
  phones: string[]
  language: string
  menuRight: number
  hasSharePicture: boolean
  headings: string[]
}

/** What a visitor's browser shows of the page that is open. */
function look(page: Page): Promise<Seen> {
  return page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    brokenPictures: [...document.images]
      .filter((image) => image.complete && image.naturalWidth === 0)
      .map((image) => image.src),
    phones: [...document.querySelectorAll('a[href^="tel:"]')].map((link) => link.getAttribute('href') ?? ''),
    language: document.documentElement.lang,
    menuRight: Math.max(
      ...[...document.querySelectorAll('header a, header button')].map(
        (control) => control.getBoundingClientRect().right,
      ),
    ),
    hasSharePicture: document.querySelector('meta[property="og:image"]') !== null,
    headings: [...document.querySelectorAll('h2')].map((heading) => heading.textContent ?? ''),
  }))
}

// The place that the service of a page is offered in, then what contains it.
function areaTypes(html: string): string[] {
  const [, json = '{}'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? []
  const graph: { '@type': string; areaServed?: Area[] }[] = JSON.parse(json)['@graph']
  const types: string[] = []
  let area = graph.find((node) => node['@type'] === 'Service')?.areaServed?.[0]
  for (; area; area = area.containedInPlace) types.push(area['@type'])
  return types
}

interface Area {
  '@type': string
  containedInPlace?: Area
}

for (const business of BUSINESSES) {
  test(`the ${business.name} business has a valid site at 390 and 1280 px`, async (t) => {
    const dataDir = temporaryFolder(t)
    const contentDir = join(PROJECT_DIR, 'tests/fixtures/businesses', business.name)
    const site = await startSite(t, { dataDir, contentDir })
    const browser = await openBrowser()
    for (const width of WIDTHS) {
      const page = await openPage(t, browser, { viewport: { width, height: 844 } })
      for (const path of business.pages) {
        await page.goto(site.url + path)
        const seen = await look(page)
        const where = `${path} at ${width} px`
        assert.ok(seen.overflow <= 0, `${where} is ${seen.overflow} px too wide`)
        assert.ok(seen.menuRight <= width, `${where}: the header ends at ${seen.menuRight} px`)
        assert.deepEqual(seen.brokenPictures, [], where)
        assert.deepEqual(
          seen.phones.filter((phone) => !business.phones.includes(phone)),
          [],
          where,
        )
        assert.equal(seen.language, business.language, where)
        assert.ok(seen.hasSharePicture, where)
      }
      await page.goto(site.url + business.pages[0])
      assert.ok((await look(page)).headings.includes(business.morePlaces))
      assert.match(await page.title(), business.title)
      assert.deepEqual(areaTypes(await page.content()), business.area)
    }
    assert.ok(statSync(join(dataDir, 'current/site/services.html')).size < LARGEST_LIST_BYTES)
    const listed = await (await fetch(`${site.url}/sitemap-0.xml`)).text()
    const [service] = /\/services\/[a-z-]+/.exec(business.pages[0] ?? '') ?? []
    assert.equal(listed.split(`${service}/`).length - 1, business.listed)
    assert.doesNotMatch(listed, /waitlist/)
  })
}

test('a business abroad is set up in the admin without former faults', async (t) => {
  const site = await startAdmin(t)
  const page = await openAdminPage(t, site)
  await page.goto('/admin/settings')
  await page.getByLabel('Name', { exact: true }).first().fill('Shannon Plumbing & Heating Ltd')
  await page.getByLabel('Country').selectOption('IE')
  await page.getByRole('textbox', { name: /^Language/ }).fill('en-IE')
  const phone = page.locator('[name=phone]')
  await phone.fill('+353 (0)61 555 0142 / 087 123 4567')
  await page.getByRole('button', { name: 'Save for next publish' }).click()
  await page
    .getByText(/such as .*0\d/)
    .first()
    .waitFor()
  await phone.fill('+353 (0)61 555 0142')
  await page.getByRole('button', { name: 'Save for next publish' }).click()
  await page.getByText('Settings saved.').waitFor()

  await page.goto('/admin/taxonomies/locations/terms/new')
  await page
    .getByLabel('Names')
    .fill('Ireland\n  County Clare\n    Ennis\n    Kilkee\n  County Kerry\n    Tralee')
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.getByRole('button', { name: 'Add places' }).click()
  await page.getByText('added.').waitFor()
  await page.goto('/admin/entries/services/new')
  await page.getByLabel('Title', { exact: true }).fill('Boiler service')
  await page.getByLabel('Summary').fill('A yearly service for gas and oil boilers.')
  await page.getByText('Edit as text').click()
  await page.getByLabel('Places, one per line').fill('ireland/**')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('“Boiler service” saved.').waitFor()
  await page.goto('/admin/publish')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await waitFor(async () => (await fetch(`${site.url}/services/boiler-service/ennis`)).status === 200)

  for (const width of WIDTHS) {
    const visitor = await openPage(t, await openBrowser(), { viewport: { width, height: 844 } })
    await visitor.goto(`${site.url}/services/boiler-service/ennis`)
    const seen = await look(visitor)
    assert.ok(seen.overflow <= 0 && seen.menuRight <= width, `${width} px: ${JSON.stringify(seen)}`)
    assert.deepEqual(new Set(seen.phones), new Set(['tel:+353615550142']))
    assert.equal(seen.language, 'en-IE')
    assert.ok(seen.hasSharePicture)
    assert.ok(seen.headings.includes('More areas in County Clare'))
    assert.deepEqual(areaTypes(await visitor.content()), ['City', 'AdministrativeArea', 'Country'])
  }
})
