import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ensureBundle, loadRenderer } from '#src/publish/render/bundle.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { Page } from '#src/site/pages/page.ts'
import { openTestDatabase } from '../../support/database.ts'
import { offerManyPlaces, type PlaceSeed, places } from '../../support/many-places.ts'
import { PROJECT_DIR } from '../../support/running-site.ts'
import { brokenLinks, clicksFromHome, linksOf, type SitePages } from '../../support/site-pages.ts'

const MOST_BYTES = 100_000
const MOST_CLICKS = 6
/** Services that leave a country and its states to their cities, as `texas/*` does. */
const CITIES_ONLY = { isOffered: false }
/** About 2,000 places in each. */
const SITES: [name: string, services: number, places: PlaceSeed[]][] = [
  ['a country with states and cities', 4, [country(40, 50, {})]],
  ['a state with a thousand cities', 2, [country(2, 1_000, CITIES_ONLY)]],
  ['one service in cities that nothing is above', 1, places('city-with-a-long-name', 2_000)],
]

function country(states: number, cities: number, above: Partial<PlaceSeed>): PlaceSeed {
  const below = places('state', states, (state) => ({
    below: places(`city-of-the-state-${state}`, cities),
    ...above,
  }))
  return { slug: 'united-states', isOffered: true, below, ...above }
}

// Every page but those of a service in a place, which lead around their place only.
async function renderLists(t: TestContext, seeds: PlaceSeed[], services: number) {
  const db = await openTestDatabase(t)
  const pairs = await offerManyPlaces(db, seeds, services)
  const render = await loadRenderer(await ensureBundle(PROJECT_DIR))
  const lists: SitePages = new Map()
  const local = new Map<string, Page>()
  for await (const page of listPages(db, { siteUrl: 'https://example.com' })) {
    if (page.partial === 'location_service_detail') local.set(page.path, page)
    else lists.set(page.path, await render(page))
  }
  assert.equal(local.size, pairs)
  return { lists, local, render }
}

for (const [name, services, seeds] of SITES) {
  test(`with 2,000 places no list page exceeds 100 KB, and each place is linked: ${name}`, async (t) => {
    const { lists, local, render } = await renderLists(t, seeds, services)
    const sizes = [...lists].map(([path, html]) => ({ path, bytes: Buffer.byteLength(html) }))
    const [largest] = sizes.toSorted((a, b) => b.bytes - a.bytes)
    t.diagnostic(`${sizes.length} lists, the largest ${largest?.path}: ${largest?.bytes} bytes`)
    assert.deepEqual(
      sizes.filter(({ bytes }) => bytes > MOST_BYTES),
      [],
    )
    const pages: SitePages = new Map([...lists, ...[...local.keys()].map((path) => [path, ''] as const)])
    const clicks = clicksFromHome(pages)
    const unreached = [...local.keys()].filter((path) => !((clicks.get(path) ?? Infinity) <= MOST_CLICKS))
    assert.deepEqual(unreached.slice(0, 3), [])
    const [first] = local.values()
    const html = first ? await render(first) : ''
    assert.ok(Buffer.byteLength(html) <= MOST_BYTES, `${first?.path}: ${html.length} bytes`)
    const targets: SitePages = new Map([...pages, [String(first?.path), html]])
    assert.deepEqual(brokenLinks(targets).slice(0, 3), [])
  })
}

test('a few places are listed only on /services, with their services', async (t) => {
  const { lists } = await renderLists(t, [country(2, 5, {})], 8)
  assert.deepEqual(
    [...lists.keys()].filter(
      (path) => path.startsWith('/services/') && !/heater-replacement-\d+$/.test(path),
    ),
    [],
  )
  const links = linksOf(lists.get('/services') ?? '')
  assert.ok(links.includes('/services/water-heater-replacement-7/city-of-the-state-1-4'))
  assert.ok(linksOf(lists.get('/') ?? '').includes('/services#in-city-of-the-state-1-4'))
})
