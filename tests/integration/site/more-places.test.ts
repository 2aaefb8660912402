import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { HomeView } from '#src/site/pages/home-page.ts'
import { listPages } from '#src/site/pages/list-pages.ts'
import type { LocationServiceView } from '#src/site/pages/location-service-page.ts'
import type { Page } from '#src/site/pages/page.ts'
import { openTestDatabase } from '../../support/database.ts'
import { addEntry, addPlaces, offer } from '../../support/small-site.ts'

/** A service in these places, given as lines of the tree; only the last part of a line is offered. */
async function aSite(t: TestContext, lines: readonly string[]) {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, ...lines)
  const service = { slug: 'repair', id: await addEntry(db, 'services', { slug: 'repair', title: 'Repair' }) }
  for (const slug of lines.map((line) => line.split('/').at(-1) ?? ''))
    await offer(db, service, { slug, id: ids.get(slug) as number })
  return { db, ids }
}

async function nearbyOf(db: Parameters<typeof listPages>[0]) {
  const nearby = new Map<string, LocationServiceView['nearby']>()
  for await (const page of listPages(db, { siteUrl: 'https://example.com' })) {
    const slug = /^\/services\/repair\/(.+)/.exec(page.path)?.[1]
    if (slug) nearby.set(slug, (page as Page<LocationServiceView>).view.detail.nearby)
  }
  return nearby
}

const branch = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `usa/${name}/${name}-${index}`)

test('“more places” continue cyclically within the same branch, under its name', async (t) => {
  const { db } = await aSite(t, [...branch('iowa', 20), ...branch('ohio', 20)])
  const nearby = await nearbyOf(db)
  const around = nearby.get('iowa-15')
  assert.equal(around?.branch, 'Iowa')
  assert.deepEqual(
    around?.beside.map(({ name }) => name),
    [16, 17, 18, 19, 0, 1, 2, 3].map((number) => `Iowa ${number}`),
  )
})

test('a short branch is listed under its own name, and the rest under the names of their branches', async (t) => {
  const { db } = await aSite(t, [...branch('iowa', 3), ...branch('ohio', 30), ...branch('utah', 30)])
  const nearby = await nearbyOf(db)
  const further = (slug: string) => nearby.get(slug)?.further.map(({ name }) => name)
  const { branch: own, furtherBranch, beside } = nearby.get('iowa-0') ?? {}
  assert.deepEqual(
    [own, furtherBranch, beside?.map(({ name }) => name)],
    ['Iowa', 'Ohio', ['Iowa 1', 'Iowa 2']],
  )
  assert.deepEqual(
    further('iowa-0'),
    [0, 1, 2, 3, 4, 5].map((n) => `Ohio ${n}`),
  )
  assert.deepEqual(
    further('iowa-1'),
    [6, 7, 8, 9, 10, 11].map((n) => `Ohio ${n}`),
  )
})

test('a flat list has “more places” too, without a heading', async (t) => {
  const { db } = await aSite(t, ['ennis', 'kilkee', 'shannon'])
  const nearby = await nearbyOf(db)
  assert.deepEqual(nearby.get('kilkee'), {
    ...{ parent: null, branch: null, within: [], further: [], furtherBranch: null },
    beside: [
      { name: 'Shannon', path: '/services/repair/shannon' },
      { name: 'Ennis', path: '/services/repair/ennis' },
    ],
  })
})

test('each place is linked evenly from others, for any branch sizes', async (t) => {
  const sizes = { iowa: 40, ohio: 1, utah: 3, texas: 9, maine: 2, idaho: 30 }
  const { db } = await aSite(
    t,
    Object.entries(sizes).flatMap(([name, count]) => branch(name, count)),
  )
  const incoming = new Map<string, number>()
  for (const [slug, { beside, further }] of await nearbyOf(db)) {
    const paths = [...beside, ...further].map(({ path }) => path ?? '')
    assert.equal(new Set(paths).size, 8, slug)
    assert.ok(!paths.includes(`/services/repair/${slug}`), slug)
    for (const path of paths) incoming.set(path, (incoming.get(path) ?? 0) + 1)
  }
  assert.equal(incoming.size, 85)
  const counts = [...incoming.values()].sort((a, b) => a - b)
  assert.ok((counts[0] ?? 0) >= 3, `fewest ${counts[0]}`)
  assert.ok((counts.at(-1) ?? 0) <= 16, `most ${counts.at(-1)}`)
})

test('places alone in their branch still have “more places”', async (t) => {
  const { db } = await aSite(t, ['usa/iowa/polk/ames', 'usa/iowa/story/boone', 'usa/ohio/knox/gambier'])
  const nearby = await nearbyOf(db)
  assert.deepEqual(
    [...nearby].map(([slug, around]) => [
      slug,
      around.furtherBranch,
      ...around.further.map(({ name }) => name),
    ]),
    [
      ['ames', 'Story and Knox', 'Boone', 'Gambier'],
      ['boone', 'Knox and Polk', 'Gambier', 'Ames'],
      ['gambier', 'Polk and Story', 'Ames', 'Boone'],
    ],
  )
})

test('places of many branches are listed under the place that surrounds them', async (t) => {
  const counties = ['polk', 'story', 'linn', 'scott', 'clay']
  const { db } = await aSite(
    t,
    counties.map((county) => `usa/iowa/${county}/${county}-town`),
  )
  assert.equal((await nearbyOf(db)).get('polk-town')?.furtherBranch, 'Iowa')
})

test('the service list shows cities below counties, with their state', async (t) => {
  const { db, ids } = await aSite(t, [
    'usa/florida/miami-dade/miami',
    'usa/florida/miami-dade/doral',
    'usa/texas/austin',
  ])
  await db
    .updateTable('taxonomy_terms')
    .set({ kind: 'county' })
    .where('id', '=', ids.get('miami-dade') ?? 0)
    .execute()
  const pages = new Map<string, Page>()
  for await (const page of listPages(db, { siteUrl: 'https://example.com' })) pages.set(page.path, page)
  const miami = pages.get('/services/repair/miami') as Page<LocationServiceView>
  assert.match(miami.view.head.title, /^Repair in Miami, Florida\b/)
  const { city, region } = miami.view.detail.place
  assert.deepEqual([city, region], ['Miami', 'Florida'])
  assert.match(JSON.stringify(pages.get('/services')?.view.detail), /"Miami Dade".*"Miami".*"Doral"/)
})

test('the home page lists cities, and other places that are in no listed city', async (t) => {
  const lines = ['usa/iowa', 'usa/iowa/ames', 'usa/iowa/ames/downtown', 'usa/iowa/boone/old-town', 'usa/utah']
  const { db } = await aSite(t, lines)
  const listed: unknown[] = []
  for await (const page of listPages(db, { siteUrl: 'https://example.com' }))
    if (page.path === '/')
      for (const { name, places } of (page as Page<HomeView>).view.detail.areas)
        listed.push([name, places.map((place) => place.name)])
  assert.deepEqual(listed, [
    ['Iowa', ['Ames']],
    ['Usa', ['Utah']],
    ['Boone', ['Old Town']],
  ])
})
