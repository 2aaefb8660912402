import assert from 'node:assert/strict'
import { test } from 'node:test'
import { savePicture } from '#src/pictures/picture-store.ts'
import { type ContentKey, openContentSource } from '#src/site/own-pages/content-source.ts'
import type { LayoutView } from '#src/site/pages/layout-view.ts'
import { DEFAULT_SITE_SETTINGS } from '#src/site/settings/site-settings.ts'
import { saveSiteSettings } from '#src/site/settings/site-settings-store.ts'
import { openTestDatabase } from '../../support/database.ts'
import { aPicture } from '../../support/pictures.ts'
import { addEntry, addPlaces, addProjects, offer } from '../../support/small-site.ts'

const NOW = '2026-11-20T10:00:00.000Z'
const SITE_URL = 'https://example.com'
const LAYOUT = { siteName: 'Acme' } as LayoutView

type Database = Awaited<ReturnType<typeof openTestDatabase>>

const open = (db: Database) =>
  openContentSource({ db, siteUrl: SITE_URL, now: new Date(NOW), layout: async () => LAYOUT })

test('own pages read the entries of a type in order, with their addresses and texts', async (t) => {
  const db = await openTestDatabase(t)
  await savePicture(db, aPicture({ name: 'roof.jpg', alt: 'A roof' }), { now: NOW })
  await addProjects(db)
  const entries = [
    { slug: '2026/roof', title: 'Roof', body: 'Of **metal**.\n\n![](roof.jpg)', data: { position: 2 } },
    { slug: '2026/barn', title: 'Barn', data: { position: 1 }, publishAt: '2026-11-19T10:00:00.000Z' },
    { slug: '2026/draft', title: 'Draft', status: 'draft' as const },
    { slug: '2026/later', title: 'Later', publishAt: '2026-11-21T10:00:00.000Z' },
    { slug: 'alone', title: 'Not an address', data: { position: 3 } },
  ]
  for (const entry of entries) await addEntry(db, 'projects', entry)
  const { value } = await open(db).load('entries:projects')
  assert.deepEqual(
    value.map(({ slug, title, path, publishedAt, updatedAt }) => ({
      slug,
      title,
      path,
      publishedAt,
      updatedAt,
    })),
    [
      {
        ...{ slug: '2026/barn', title: 'Barn', path: '/projects/2026/barn' },
        ...{ publishedAt: '2026-11-19T10:00:00.000Z', updatedAt: NOW },
      },
      {
        ...{ slug: '2026/roof', title: 'Roof', path: '/projects/2026/roof' },
        ...{ publishedAt: NOW, updatedAt: NOW },
      },
      {
        ...{ slug: 'alone', title: 'Not an address', path: null },
        ...{ publishedAt: NOW, updatedAt: NOW },
      },
    ],
  )
  assert.deepEqual(value[0]?.data, { position: 1 })
  assert.match(value[1]?.html ?? '', /<p>Of <strong>metal<\/strong>\.<\/p>.*<img[^>]* alt="A roof"/s)
  assert.deepEqual((await open(db).load('entries:unknown')).value, [])
})

test('entries of a type without pages have no address', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann' })
  const { value } = await open(db).load('entries:testimonials')
  assert.deepEqual(
    value.map(({ slug, path }) => [slug, path]),
    [['ann', null]],
  )
  await addProjects(db)
  await addEntry(db, 'projects', { slug: '2026/roof', title: 'Roof' })
  await db.updateTable('content_types').set({ is_routable: 0 }).where('slug', '=', 'projects').execute()
  assert.equal((await open(db).load('entries:projects')).value[0]?.path, null)
})

test('own pages read the data of local pages as in their files', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'usa/austin')
  const service = await addEntry(db, 'services', { slug: 'drains', title: 'Drains' })
  const [ann, bob] = [
    await addEntry(db, 'testimonials', { slug: 'ann', title: 'Ann' }),
    await addEntry(db, 'testimonials', { slug: 'bob', title: 'Bob', status: 'draft' }),
  ]
  await addEntry(db, 'location_services', {
    ...{ slug: 'drains/austin', title: '' },
    data: {
      ...{ service_entry_id: service, location_term_id: ids.get('austin') },
      ...{ intro: 'Near you', local_testimonials: `${bob},${ann}` },
    },
  })
  const { value } = await open(db).load('entries:location_services')
  assert.deepEqual(
    value.map(({ slug, data }) => [slug, data]),
    [['drains/austin', { intro: 'Near you', local_testimonials: ['ann'] }]],
  )
})

test('own pages read all places, each with the pages of services shown there', async (t) => {
  const db = await openTestDatabase(t)
  const ids = await addPlaces(db, 'usa/texas/austin', 'usa/texas/waco')
  const place = (slug: string) => ({ slug, id: ids.get(slug) ?? 0 })
  const add = async (slug: string, position: number, status: 'published' | 'draft' = 'published') => {
    const id = await addEntry(db, 'services', { slug, title: slug.toUpperCase(), data: { position }, status })
    return { slug, id }
  }
  const repair = await add('repair', 2)
  const install = await add('install', 1)
  const draft = await add('draft', 3, 'draft')
  for (const service of [repair, install, draft]) await offer(db, service, place('austin'))
  await offer(db, repair, place('waco'), { status: 'draft' })
  const { value } = await open(db).load('places')
  const none = { kind: null, description: null, pages: [] }
  const pageOf = (service: string) => ({
    ...{ service, title: service.toUpperCase(), path: `/services/${service}/austin` },
  })
  const austin = { slug: 'austin', name: 'Austin', within: 'usa/texas/austin', children: [] }
  const waco = { ...none, slug: 'waco', name: 'Waco', within: 'usa/texas/waco', children: [] }
  const texas = { ...none, slug: 'texas', name: 'Texas', within: 'usa/texas' }
  assert.deepEqual(value, [
    {
      ...{ ...none, slug: 'usa', name: 'Usa', within: 'usa' },
      children: [
        { ...texas, children: [{ ...none, ...austin, pages: [pageOf('install'), pageOf('repair')] }, waco] },
      ],
    },
  ])
  await db
    .updateTable('content_types')
    .set({ is_routable: 0 })
    .where('slug', '=', 'location_services')
    .execute()
  const [usa] = (await open(db).load('places')).value
  assert.deepEqual(usa?.children[0]?.children[0]?.pages, [])
})

test('own pages read the layout and the settings with the site’s address', async (t) => {
  const db = await openTestDatabase(t)
  const settings = { ...DEFAULT_SITE_SETTINGS, name: 'Acme' }
  await saveSiteSettings(db, settings, { now: NOW })
  const source = open(db)
  assert.equal((await source.load('layout')).value, LAYOUT)
  assert.deepEqual((await source.load('site')).value, { url: SITE_URL, ...settings })
})

test('a source reads each content once, and its hash changes with the content', async (t) => {
  const db = await openTestDatabase(t)
  await addEntry(db, 'services', { slug: 'repair', title: 'Repair' })
  const source = open(db)
  const keys: ContentKey[] = ['layout', 'site', 'places', 'entries:services', 'entries:pages']
  const hashes = async (from: typeof source) =>
    Promise.all(keys.map(async (key) => (await from.load(key)).hash))
  const before = await hashes(source)
  for (const hash of before) assert.match(hash, /^[0-9a-f]{16}$/)
  await db.updateTable('content_entries').set({ title: 'Cooling' }).where('slug', '=', 'repair').execute()
  assert.deepEqual(await hashes(source), before)
  const changed = await hashes(open(db))
  assert.deepEqual(
    keys.filter((_, index) => changed[index] !== before[index]),
    ['entries:services'],
  )
})
